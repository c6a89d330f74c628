// The board in a real browser, with the program's server:
//
//     cargo build --release && npm --prefix web/board ci && node web/board/test.mjs [SCREENSHOTS]
//
// Needs Debian's Chromium, or another one in the variable CHROMIUM. Moves by mouse, touch and keys,
// PGN in and out, analysis, explanations on many positions, annotation and its end, reload, hostile
// input, two pages, an engine that is gone; the console must stay empty, axe-core find nothing, and
// nothing be wider than the screen.

import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {readFileSync, writeFileSync, mkdtempSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {chromium} from "playwright-core";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.FRESHET ?? join(root, "target/release/freshet");
const [shots] = process.argv.slice(2);
const axe = readFileSync(fileURLToPath(new URL("node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
const folder = mkdtempSync(join(tmpdir(), "freshet-board-"));

const serve = (...args) => new Promise((done, fail) => {
  const board = spawn(program, ["board", "--no-browser", "--threads", "1", ...args]);
  board.on("error", fail);
  board.stdout.on("data", data => {
    const url = /http\S+/.exec(data)?.[0];
    if (url) done({board, url});
  });
});

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"],
});
const said = [];
const open = async (url, options = {}) => {
  const context = await browser.newContext({viewport: {width: 1400, height: 900}, ...options});
  const page = await context.newPage();
  page.on("console", message => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", error => said.push(`error: ${error.message}`));
  page.on("dialog", () => said.push("a dialog was opened"));
  await page.goto(url);
  await page.waitForSelector(".moves .move");
  return page;
};
let checks = 0;
const check = (actual, expected, what) => { assert.deepEqual(actual, expected, what); checks++; };
const holds = (value, what) => { assert.ok(value, what); checks++; };
const fen = page => page.evaluate(() => freshet.at.fen);
const text = (page, selector) => page.locator(selector).first().innerText();
const square = async (page, name) => {
  const box = await page.locator("cg-board").boundingBox();
  const size = box.width / 8;
  return [box.x + size * (name.charCodeAt(0) - 97 + 0.5), box.y + size * (8 - Number(name[1]) + 0.5)];
};
const drag = async (page, from, to) => {
  await page.mouse.move(...await square(page, from));
  await page.mouse.down();
  await page.mouse.move(...await square(page, to), {steps: 4});
  await page.mouse.up();
  await page.waitForTimeout(50);
};
const clickMove = async (page, from, to) => {
  await page.mouse.click(...await square(page, from));
  await page.mouse.click(...await square(page, to));
  // The board tells of a move a moment later.
  await page.waitForTimeout(50);
};
const paste = async (page, pgn) => {
  await page.evaluate(() => { [...document.querySelectorAll("details")].find(d => d.innerText.startsWith("Open")).open = true; });
  await page.getByLabel("PGN or FEN").fill(pgn);
  await page.getByRole("button", {name: "Load"}).click();
};
const reason = async page => {
  await page.getByRole("button", {name: "Explain", exact: true}).click();
  await page.waitForSelector(".reason .steps", {timeout: 60000});
  return text(page, ".reason .verdict");
};
const audit = async (page, what) => {
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => axe.run());
  check(violations.map(({id, nodes}) => [id, nodes[0].html]), [], `axe-core: ${what}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(wide, 0, `wider than the screen: ${what}`);
};
const shot = async (page, name) => { if (shots) await page.screenshot({path: join(shots, `${name}.png`)}); };

const main = await serve("--keep");
const page = await open(main.url);

// Moves by mouse, keys and words; promotion; castling; illegal ones.
await drag(page, "e2", "e4");
await clickMove(page, "e7", "e5");
check(await fen(page), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "moves by mouse");
await drag(page, "a1", "a5");
holds((await fen(page)).startsWith("rnbqkbnr/pppp1ppp/8/4p3/4P3"), "no illegal move");
for (const move of ["Nf3", "Nc6", "Bc4", "Bc5"]) {
  await page.getByLabel("Type a move").fill(move);
  await page.getByLabel("Type a move").press("Enter");
}
await page.getByLabel("Type a move").press("Escape");
await clickMove(page, "e1", "g1");
holds((await fen(page)).includes("RNBQ1RK1 b kq"), "castling by the king's target");
await page.keyboard.press("ArrowLeft");
await page.keyboard.press("Home");
check(await page.evaluate(() => freshet.at.ply), 0, "Home");
await page.keyboard.press("End");
check(await page.evaluate(() => freshet.at.ply), 7, "End");
await page.waitForFunction(() => freshet.latest?.node === freshet.at && freshet.latest.lines.length === 3);
await page.keyboard.press(" ");
check(await page.evaluate(() => freshet.at.ply), 8, "space plays the best move");
await page.keyboard.press("f");
holds(await page.evaluate(() => document.querySelector(".orientation-black")), "f flips");
await page.keyboard.press("f");

// A reload keeps the game.
await page.reload();
await page.waitForSelector(".moves .move");
check(await page.evaluate(() => freshet.at.ply), 8, "a reload keeps the game");

// Promotion.
await paste(page, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
await drag(page, "e7", "e8");
check(await page.evaluate(() => document.activeElement.ariaLabel), "queen", "the dialog has the focus");
holds(await page.evaluate(() => getComputedStyle(document.querySelector(".promotion piece")).backgroundImage !== "none"), "pieces to choose from");
await page.keyboard.press("Escape");
holds((await fen(page)).startsWith("8/4P1k1"), "Escape promotes nothing");
await drag(page, "e7", "e8");
await page.getByRole("button", {name: "knight"}).click();
holds((await fen(page)).startsWith("4N3/"), "a promotion to a knight");

// Explanations of twenty positions, with their lines on the board.
const suite = readFileSync(join(root, "engine-tests/suites/textbook.tsv"), "utf8")
  .split("\n").filter(line => line && !line.startsWith("#")).slice(0, 20);
let slowest = 0;
for (const line of suite) {
  const [theme, position, move] = line.split("\t");
  await paste(page, position);
  await page.getByLabel("Type a move").fill(move);
  await page.getByLabel("Type a move").press("Enter");
  const began = Date.now();
  const told = await reason(page);
  slowest = Math.max(slowest, Date.now() - began);
  holds(told.includes(" is "), `${theme}: ${told}`);
}
console.log(`twenty explanations, the slowest after ${slowest} ms`);
const before = await fen(page);
await page.locator(".steps .san").first().click();
holds(await page.evaluate(() => document.querySelector(".board.is-preview")), "a step of a line");
await page.getByRole("button", {name: "Back to the game"}).click();
check(await fen(page), before, "a step leaves the game alone");

// Threat, table of terms, fills.
await paste(page, "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3");
await page.getByRole("button", {name: "Threat?"}).click();
await page.waitForFunction(() => document.querySelector(".reason").innerText.includes("White threatens 4.Qxf7#."));
checks++;
await page.evaluate(() => document.querySelectorAll("details.panel").forEach(details => { details.open = true; }));
await page.waitForSelector("table tbody tr:not(.section)");
await page.locator("table tbody tr:not(.section)").first().hover();
await page.getByLabel("Picture", {exact: true}).selectOption("attacks");
await page.waitForSelector("cg-board square[class*=lit-]", {state: "attached"});
checks++;

// A game against the engine, with a word on a bad move and hints.
await page.evaluate(() => document.querySelectorAll("details.panel").forEach(details => { details.open = false; }));
await paste(page, "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
await page.getByText("Play against Freshet").click();
await page.getByRole("button", {name: "White from here"}).click();
await page.getByRole("button", {name: "Hint"}).click();
await page.waitForSelector("cg-board square.lit-good", {state: "attached"});
await page.getByRole("button", {name: "Hint"}).click();
await page.getByText("again for the reason").waitFor();
await page.getByLabel("Type a move").fill("a3");
await page.getByLabel("Type a move").press("Enter");
await page.getByText("a3 is a blunder.").first().waitFor();
await page.waitForFunction(() => freshet.at.ply === 2, null, {timeout: 20000});
checks++;
await page.getByRole("button", {name: "Take back"}).click();
check(await page.evaluate(() => [freshet.at.ply, freshet.at.children.length]), [0, 0], "take back takes the moves out");
// Only one's own pieces move; the engine goes on wherever the board comes back to its turn.
await page.getByLabel("Type a move").fill("Nxh4");
await page.getByLabel("Type a move").press("Enter");
await page.evaluate(() => document.activeElement.blur());
await page.keyboard.press("ArrowLeft");
await page.keyboard.press("ArrowRight");
await page.waitForFunction(() => freshet.at.ply === 2, null, {timeout: 20000});
await page.waitForTimeout(400);
await page.reload();
await page.waitForSelector(".moves .move");
check(await page.evaluate(() => [freshet.match.side, freshet.isOn]), ["white", false], "a reload goes on with the game");
await paste(page, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
check(await page.evaluate(() => freshet.match.side), null, "another game ends the match");
await page.getByText("Play against Freshet").click();
await page.getByRole("button", {name: "White from here"}).click();
await page.getByLabel("Type a move").fill("Qg7#");
await page.getByLabel("Type a move").press("Enter");
await page.getByText("Checkmate: you won.").waitFor();
check(await page.evaluate(() => [freshet.match.side, freshet.game.headers.get("Result")]), [null, "1-0"], "the end is said");
await page.locator(".switch input").check();

// A start and stop storm: the last position is the one analysed.
await paste(page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *");
for (let i = 0; i < 60; i++) await page.keyboard.press(i % 3 ? "ArrowRight" : "ArrowLeft");
await page.waitForFunction(() => freshet.latest?.node === freshet.at);
checks++;

// Annotation: cancelled, then whole.
await page.getByRole("button", {name: "Annotate the game"}).click();
await page.getByRole("button", {name: "Cancel"}).click();
await page.waitForSelector("text=Annotate the game");
await paste(page, '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qf3 Nd4 4. Qxf7# 1-0');
await page.getByRole("button", {name: "Annotate the game"}).click();
await page.waitForSelector(".moves .blunder", {timeout: 60000});
holds((await text(page, ".moves")).includes("Blunder: "), "marks with reasons");
await page.waitForSelector(".graph .dot");
await page.locator(".graph .dot").last().click();
holds((await page.evaluate(() => freshet.at.glyph)) === "??", "a turning point is clicked");
holds((await page.evaluate(() => freshet.game.pgn())).includes("$4"), "PGN out");
holds((await text(page, ".reason")).includes("Blunder: "), "the comment of the move");
await page.keyboard.press("Home");
holds((await text(page, ".reason")).includes("press Explain"), "no comment of another move");

// A reload keeps the place in a variation; draws are named.
await page.keyboard.press("ArrowRight");
await page.getByLabel("Type a move").fill("c5");
await page.getByLabel("Type a move").press("Enter");
await page.waitForTimeout(500);
await page.reload();
await page.waitForSelector(".moves .move");
check(await page.evaluate(() => [freshet.at.san, freshet.at.isMain]), ["c5", false], "the place in a variation");
await paste(page, "7k/8/8/8/8/8/8/R6K w - - 100 90");
await page.waitForFunction(() => document.querySelector(".speed").innerText.includes("fifty moves"));
checks++;

// A deletion is undone; what is said before a variation stays; a word that is no game is refused.
await paste(page, "1. e4 ({another way} 1. d4 d5) 1... e5 *");
holds((await page.evaluate(() => freshet.game.pgn())).includes("{ another way }"), "a comment before a variation");
await page.keyboard.press("ArrowRight");
await page.getByRole("button", {name: "Delete"}).click();
check(await page.evaluate(() => freshet.game.main.length), 3, "the variation is left");
await page.getByRole("button", {name: "Undo"}).click();
check(await page.evaluate(() => freshet.game.main.map(node => node.san).join(" ")), " e4 e5", "what was deleted comes back");
await paste(page, "https://lichess.org/abc/d1");
check(await page.evaluate(() => freshet.game.main.length), 3, "no game is no game");
await page.getByLabel("Type a move").fill("nf6");
await page.getByLabel("Type a move").press("Enter");
check(await page.evaluate(() => freshet.at.san), "Nf6", "a move in small letters");
await page.evaluate(() => document.activeElement.blur());

// What was replaced comes back; games of a file keep what was added to them, over a reload too.
await paste(page, '[White "A"]\n\n1. e4 e5 *\n\n[White "B"]\n\n1. d4 d5 *');
await page.keyboard.press("End");
await page.getByLabel("Type a move").fill("Nf3");
await page.getByLabel("Type a move").press("Enter");
await page.getByLabel("Game", {exact: true}).selectOption("1");
await page.waitForFunction(() => freshet.game.main[1].san === "d4");
await page.getByLabel("Game", {exact: true}).selectOption("0");
check(await page.evaluate(() => freshet.game.main.map(node => node.san).join(" ")), " e4 e5 Nf3", "a game of the file keeps its moves");
holds((await page.evaluate(() => freshet.all())).includes("1. d4 d5"), "all games of the file");
await page.evaluate(() => document.activeElement.blur());
await page.keyboard.press("End");
check(await page.evaluate(() => freshet.at.san), "Nf3", "End");
await page.waitForTimeout(500);
await page.reload();
await page.waitForSelector(".moves .move");
check(await page.evaluate(() => [freshet.list.length, freshet.at.san]), [2, "Nf3"], "a reload keeps all games");
await paste(page, "7k/8/8/8/8/8/8/R6K w - - 0 90");
await page.getByRole("button", {name: "Restore it"}).click();
check(await page.evaluate(() => [freshet.list.length, freshet.at.san]), [2, "Nf3"], "what was replaced comes back");
// Buttons of lines stay the same elements while the analysis runs; the wheel steps; `l` ends it.
await page.waitForFunction(() => freshet.latest?.node === freshet.at);
await page.evaluate(() => { globalThis.kept = document.querySelector(".lines .score"); kept.focus(); });
await page.waitForTimeout(800);
holds(await page.evaluate(() => kept.isConnected && document.activeElement === kept), "a line's button keeps the focus");
await page.mouse.move(...await square(page, "d4"));
await page.mouse.wheel(0, -120);
check(await page.evaluate(() => freshet.at.san), "e5", "the wheel goes back");
await page.mouse.wheel(0, 120);
await page.evaluate(() => document.activeElement.blur());
await page.keyboard.press("l");
check(await page.evaluate(() => freshet.isOn), false, "l ends the analysis");
await page.keyboard.press("l");

// Hostile input is text, and nothing else.
const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
await paste(page, `[White "${evil.replaceAll('"', '\\"')}"]\n[Event "${evil.replaceAll('"', "'")}"]\n\n1. e4 {${evil}} e5 {}} 2. Ke3 *`);
holds((await text(page, ".moves")).includes("<script>"), "tags and comments are text");
holds((await text(page, ".problem")).includes("2.Ke3 is not legal"), "an illegal move is named");
check(await page.locator(".moves img, .moves script").count(), 0, "no elements of the input");
// What cannot be read is saved as it was; moves as UCI writes them and EPD lines are read; the comments of
// equal moves come together; a strange score is no score.
await paste(page, "1. e4 e5 2. g1f3 Nc6 3. Ke3 d6 {[%eval -M3]} *");
check(await page.evaluate(() => freshet.game.main.map(node => node.san).join(" ")), " e4 e5 Nf3 Nc6", "a move as UCI writes it");
holds((await page.evaluate(() => freshet.game.pgn())).includes("3. Ke3 d6"), "what could not be read is saved");
await paste(page, "1. e4 {[%eval -M3] first} e5 (1... e5 {again} 2. d4) 2. Nf3 *");
holds((await page.evaluate(() => freshet.game.pgn())).includes("{ again }"), "the comment of an equal move");
check(await page.locator(".graph polygon[points*=NaN]").count(), 0, "no score, no point");
await paste(page, "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;");
check(await page.evaluate(() => freshet.at.fen), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "an EPD line");
await paste(page, "nothing at all");
holds((await text(page, ".problem")).includes("cannot be loaded"), "neither PGN nor FEN");
const games = join(folder, "large.pgn");
writeFileSync(games, Array.from({length: 8000}, (_, i) => `[White "W${i}"]\n[Black "B"]\n\n1. e4 {${"x".repeat(1200)}} e5 2. Nf3 *\n\n`).join(""));
const began = Date.now();
await page.locator("input[type=file]").setInputFiles(games);
await page.waitForFunction(() => freshet.list?.length === 8000, null, {timeout: 60000});
console.log(`10 MB of games after ${Date.now() - began} ms`);
checks++;

// The picture of the README: a queen that is trapped.
const picture = await open(main.url, {viewport: {width: 1280, height: 800}});
await paste(picture, "r2q1rk1/1p2bppp/p1n1b3/3pPp2/3P4/PQN1BN2/1P3PPP/R4RK1 w - - 2 14");
await picture.getByLabel("Type a move").fill("Qxb7");
await picture.getByLabel("Type a move").press("Enter");
holds((await reason(picture)).includes("Na5"), "the reason of the picture");
await picture.evaluate(() => { document.querySelectorAll("details.panel").forEach(details => { details.open = false; }); scrollTo(0, 0); });
await picture.locator(".facts button").first().focus();
await picture.waitForTimeout(2500);
await shot(picture, "board");
await picture.close();

// Another page has its own engine; a page that is gone does not stop it.
const other = await open(main.url);
await other.waitForFunction(() => freshet.latest?.lines.length === 3);
await page.close();
await other.keyboard.press("ArrowRight");
await other.waitForFunction(() => freshet.latest?.node === freshet.at);
checks++;
await audit(other, "desktop, light");
await shot(other, "start");
await other.close();

// Phone, dark, touch.
const game = join(root, "docs/gallery/annotated.pgn");
const annotated = await serve("--keep", game);
for (const [name, options] of [
  ["phone", {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, colorScheme: "dark"}],
  ["small", {viewport: {width: 320, height: 640}, hasTouch: true, isMobile: true}],
  ["desktop", {}],
  ["large", {viewport: {width: 3840, height: 2160}}],
]) {
  const view = await open(`${annotated.url}#15`, options);
  if (options.hasTouch) {
    const [x, y] = await square(view, "c7");
    await view.touchscreen.tap(x, y);
    await view.touchscreen.tap(...await square(view, "c6"));
    await view.waitForFunction(() => freshet.at.san === "c6");
    checks++;
    await view.keyboard.press("ArrowLeft");
  }
  await reason(view);
  await view.waitForTimeout(700);
  await audit(view, name);
  await shot(view, name);
  await view.close();
}

// Pages of one file: nothing is loaded, reasons, terms and maps are in them.
const written = (name, ...args) => {
  const file = join(folder, name);
  execFileSync(program, ["html", "-o", file, ...args], {stdio: "ignore"});
  return pathToFileURL(file).href;
};
const evilGame = join(folder, "evil.pgn");
writeFileSync(evilGame, `[White "${evil.replaceAll('"', '\\"')}"]\n[Black "</script>"]\n\n1. e4 {[%clk 0:04:58] </script>${evil}} e5 2. Bc4 Nc6 3. Qf3 Nd4 4. Qxf7# 1-0\n`);
const wall = written("wall.html", "7k/8/8/6p1/1p4Pp/1P1p1p1P/1P1P1P1P/3K4 w - - 0 1");
const ofPosition = written("position.html", "r2q1rk1/1p2bppp/p1n1b3/3pPp2/3P4/PQN1BN2/1P3PPP/R4RK1 w - - 2 14");
const ofGame = written("game.html", "--nodes", "20000", evilGame);
for (const [name, options] of [["", {}], [", phone", {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, colorScheme: "dark"}]]) {
  const one = await open(ofPosition, options);
  await one.waitForSelector(".reason .steps");
  check(await one.locator(".lines li").count(), 3, "the best lines");
  await one.locator(".lines .score").nth(1).click();
  await one.waitForSelector(".reason .steps");
  await one.evaluate(() => document.querySelectorAll("details.panel").forEach(details => { details.open = true; }));
  await one.waitForSelector("table tbody tr:not(.section)");
  await one.getByLabel("Picture", {exact: true}).selectOption("attacks");
  await one.waitForSelector("cg-board square[class*=lit-]", {state: "attached"});
  await one.getByLabel("Type a move").fill("h3");
  await one.getByLabel("Type a move").press("Enter");
  await one.waitForFunction(() => document.body.innerText.includes("has no data for this position"));
  await one.keyboard.press("Escape");
  await audit(one, `page of a position${name}`);
  check(await one.evaluate(() => performance.getEntriesByType("resource").length), 0, "nothing is loaded");
  await one.close();
  const walled = await open(wall, options);
  await walled.waitForFunction(() => document.body.innerText.includes("proven"));
  await walled.waitForSelector("cg-board square[class*=lit-]", {state: "attached"});
  await shot(walled, `wall${name.replace(", ", "-")}`);
  await walled.close();
  const played = await open(`${ofGame}#5`, options);
  await played.waitForSelector(".graph .dot");
  holds((await text(played, ".moves")).includes("Blunder: "), "a page of a game has reasons");
  holds((await played.locator(".player").allInnerTexts()).some(line => line.includes("0:04:58")), "clocks");
  check(await played.locator(".moves img, .moves script").count(), 0, "no elements of the input");
  await played.evaluate(() => [...document.querySelectorAll("details.panel")].at(-1).open = true);
  await played.waitForSelector("table tbody tr:not(.section)");
  await audit(played, `page of a game${name}`);
  await shot(played, `page${name.replace(", ", "-")}`);
  await played.close();
}

// An engine that is gone is said to be gone.
const last = await open(annotated.url);
await last.waitForFunction(() => freshet.latest?.lines.length === 3);
check(said, [], "the console stays empty");
annotated.board.kill();
await last.keyboard.press("ArrowRight");
await last.waitForFunction(() => document.querySelector(".problem").innerText.includes("does not answer"));
checks++;
await last.close();

// Without `--keep` the program ends when its page is closed.
const short = await serve();
const only = await open(short.url);
const ended = new Promise(done => short.board.on("exit", done));
await only.close();
check(await ended, 0, "the program ends with its page");

await browser.close();
main.board.kill();
console.log(`${checks} checks`);
process.exit(0);
