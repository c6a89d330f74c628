// node test.js FOLDER NODES [PICTURE]: the page of a folder (dist/web) in headless Chromium. Needs
// `npm install puppeteer-core` and /usr/bin/chromium (or CHROMIUM). NODES is what bench must count.
//
// Everything is tried twice: on a page that may share memory, and on one that may not.

const { readFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { extname, join, normalize } = require("node:path");
const puppeteer = require("puppeteer-core");

const [folder, nodes, picture] = process.argv.slice(2);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

function serve(isolated) {
  const server = createServer((request, response) => {
    const path = normalize(request.url === "/" ? "/example.html" : request.url.split("?")[0]);
    if (isolated) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    try {
      const body = readFileSync(join(folder, path));
      response.setHeader("Content-Type", TYPES[extname(path)] ?? "text/plain");
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

function check(what, found, wanted) {
  const ok = typeof wanted === "function" ? wanted(found) : found === wanted;
  console.log(`${ok ? "ok  " : "FAIL"} ${what}: ${found}`);
  if (!ok) process.exitCode = 1;
}

// Runs in the page: an engine of its own is told these lines, each after a pause, until an answer.
const talk = (lines, answer) =>
  new Promise((done) => {
    const engine = new Freshet("worker.js");
    const heard = [];
    engine.onmessage = ({ data }) => {
      heard.push(data);
      if (!data.startsWith(answer) && !new RegExp(answer).test(data)) return;
      engine.terminate();
      done({ line: data, heard, after: performance.now() - last });
    };
    let last = performance.now();
    (async () => {
      for (const [line, pause] of lines) {
        await new Promise((resume) => setTimeout(resume, pause));
        last = performance.now();
        engine.postMessage(line);
      }
    })();
  });

async function tryPage(browser, isolated) {
  const server = await serve(isolated);
  const page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 720 });
  page.on("pageerror", (error) => check("page", error.message, ""));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const status = (text) =>
    page.waitForFunction((text) => document.getElementById("status").textContent.includes(text), { timeout: 60000 }, text);
  check("may share memory", await page.evaluate(() => crossOriginIsolated), isolated);

  const bench = await page.evaluate(talk, [["bench", 0]], "^\\d+ nodes");
  check("bench", bench.line, (line) => line.startsWith(`${nodes} nodes `));
  for (const [name, lines] of [
    ["stop", [["position startpos moves e2e4", 0], ["go infinite", 0], ["stop", 1500]]],
    ["stop of a pondering search", [["position startpos", 0], ["go ponder wtime 60000 btime 60000", 0], ["stop", 1500]]],
    ["ponderhit", [["position startpos", 0], ["go ponder movetime 300", 0], ["ponderhit", 1500]]],
    ["an infinite search that ends by itself", [["position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", 0], ["go infinite depth 2", 0], ["stop", 1500]]],
  ]) {
    const answer = await page.evaluate(talk, lines, "^bestmove");
    check(name, `${answer.line}, ${Math.round(answer.after)} ms later`, () => /^bestmove [a-h]/.test(answer.line) && answer.after < 3000);
    check(`${name}: answers`, answer.heard.filter((line) => line.startsWith("bestmove")).length, 1);
  }

  await status("Your move");
  for (const square of ["e2", "e4"]) await page.click(`[data-square=${square}]`);
  await status("Your move");
  const moves = await page.$eval("#moves", (moves) => moves.textContent);
  check("a move and its answer", moves, (moves) => /^e2e4 [a-h][1-8][a-h][1-8]$/.test(moves));
  await page.select("#time", "10000");
  for (const square of ["g1", "f3"]) await page.click(`[data-square=${square}]`);
  await status("The engine thinks");
  await new Promise((resume) => setTimeout(resume, 700));
  await page.click("#now");
  await status("Your move");
  check("moved when told to", (await page.$eval("#moves", (m) => m.textContent)).split(" ").length, 4);
  if (picture) await page.screenshot({ path: picture });
  await page.close();
  server.close();
}

(async () => {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--headless=new"], protocolTimeout: 60000 });
  try {
    await tryPage(browser, true);
    await tryPage(browser, false);
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
