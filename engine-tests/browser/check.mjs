// Checks pages of `freshet html` in a real browser, through its driver (WebDriver):
//
//     node engine-tests/browser/check.mjs POSITION.html GAME.html [FOLDER FOR SCREENSHOTS]
//
// Needs Node 20, Chromium with chromedriver, and axe-core: `npm install --prefix target/axe
// axe-core`, or its axe.min.js in the variable AXE. Clicks and keys must work, nothing may be on
// the console, nothing may be loaded, and axe-core must find no violation, on a desktop and on a
// phone, light and dark.

import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {readFileSync, writeFileSync} from "node:fs";
import {resolve} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";

const [position, game, shots] = process.argv.slice(2);
const axe = readFileSync(process.env.AXE ?? "target/axe/node_modules/axe-core/axe.min.js", "utf8");
const PORT = 9515;
const driver = spawn("chromedriver", [`--port=${PORT}`], {stdio: "ignore"});

const call = async (method, path, body) => {
  const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, {method, body: body && JSON.stringify(body)});
  const {value} = await answer.json();
  if (value?.error) throw new Error(`${path}: ${value.message}`);
  return value;
};

let session, checks = 0;
const post = (path, body = {}) => call("POST", `/session/${session}${path}`, body);
const run = (script, ...args) => post("/execute/sync", {script, args});
const wait = (script, ...args) => post("/execute/async", {script, args});
const cdp = (cmd, params) => post("/goog/cdp/execute", {cmd, params});
const check = (actual, expected, what) => { assert.deepEqual(actual, expected, what); checks++; };
const KEYS = {ArrowLeft: "\uE012", ArrowRight: "\uE014", Home: "\uE011", End: "\uE010", Tab: "\uE004"};
const press = key => post("/actions", {actions: [{type: "key", id: "keys", actions: [
  {type: "keyDown", value: KEYS[key]}, {type: "keyUp", value: KEYS[key]}]}]});
const click = async selector => {
  const found = await post("/element", {using: "css selector", value: selector});
  await post(`/element/${Object.values(found)[0]}/click`);
};

const start = async () => {
  for (let tries = 0; ; tries++) {
    try { await call("GET", "/status"); break; } catch (error) { if (tries > 50) throw error; await sleep(100); }
  }
  const {sessionId} = await call("POST", "/session", {capabilities: {alwaysMatch: {
    "goog:loggingPrefs": {browser: "ALL"},
    "goog:chromeOptions": {args: ["--headless=new", "--no-sandbox", "--disable-gpu"]},
  }}});
  session = sessionId;
};

const audit = async file => {
  const {violations} = await wait(`${axe}; const done = arguments[0]; axe.run().then(done);`);
  check(violations.map(({id, nodes}) => [id, nodes[0].html, nodes[0].failureSummary]), [], `axe-core: ${file}`);
};

const shot = async (file, whole) => {
  if (!shots) return;
  const {data} = await cdp("Page.captureScreenshot", {format: "png", captureBeyondViewport: whole});
  writeFileSync(`${shots}/${file}.png`, Buffer.from(data, "base64"));
};

const look = async (width, height, scheme, file, url) => {
  await cdp("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: width < 600});
  await cdp("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: scheme}]});
  await post("/url", {url});
  await audit(file);
  check(await run("return document.documentElement.scrollWidth <= innerWidth"), true, `${file} is too wide`);
  check(await run("return performance.getEntriesByType('resource').length"), 0, "something is loaded");
  await shot(file, width < 600);
};

// A term is lit, and where there is a game, its middle is shown.
const lightUp = async (file, term) => {
  await run("document.getElementById('slider') && document.querySelector('#turning button')?.click()");
  await run(`[...document.querySelectorAll('tr[data-term] button')].find(button => button.textContent === arguments[0])?.focus()`, term);
  check(await lit() > 0, true, `${term} is lit`);
  await audit(file);
  await shot(file, false);
  await run("document.activeElement.blur(); scrollTo(0, 0)");
};

const sizes = [[1280, 900, "light", "desktop"], [1280, 900, "dark", "dark"], [390, 844, "light", "phone"], [390, 844, "dark", "phone-dark"]];
const text = id => run("return document.getElementById(arguments[0]).textContent", id);
const lit = () => run("return document.querySelectorAll('.lit-w, .lit-b').length");

const terms = async () => {
  check(await run("return document.querySelectorAll('#board use').length") > 1, true, "pieces");
  check(await lit(), 0, "nothing is lit at first");
  // The rows of the table add up to the score below it.
  const sum = await run(`return [...document.querySelectorAll('tr[data-term] td:last-child')]
    .reduce((all, cell) => all + +cell.textContent.replace('\\u2212', '-'), 0)`);
  check(sum, +(await text("total")).replace("\u2212", "-"), "the rows add up");
  await run("document.querySelector('tr[data-term] button').focus()");
  check(await lit() > 0, true, "a focused term lights its squares");
  const first = await text("hint");
  await press("Tab");
  check(await text("hint") !== first, true, "Tab goes to the next term");
  await run("document.activeElement.blur()");
  check(await lit(), 0, "and the light goes out");
  await click("tr[data-term] button");
  await run("document.activeElement.blur()");
  check(await lit() > 0, true, "a click keeps it on");
  await click("tr[data-term] button");
  // The last term is far below: the board comes along.
  await run("const all = document.querySelectorAll('tr[data-term] button'); all[all.length - 1].focus()");
  const inView = await run("const {top, bottom} = document.getElementById('board').getBoundingClientRect(); return top < innerHeight && bottom > 0");
  check(inView, true, "the board is seen with the last term");
  await run("document.activeElement.blur(); scrollTo(0, 0)");
  await click("#largest");
  const parts = await run("return [...document.querySelectorAll('tr[data-term] td:last-child')].map(cell => Math.abs(+cell.textContent.replace('\\u2212', '-')))");
  check(parts, [...parts].sort((a, b) => b - a), "largest first");
  await click("#largest");
};

const moves = async () => {
  const last = +(await run("return document.getElementById('slider').max"));
  const board = () => run("return document.getElementById('position').textContent");
  const [start, at] = [await board(), async () => +(await run("return document.getElementById('slider').value"))];
  await press("ArrowRight");
  check(await at(), 1, "right");
  check(await board() !== start, true, "the board changes");
  await press("ArrowLeft");
  check([await at(), await board()], [0, start], "left");
  await press("End");
  check(await at(), last, "End");
  await press("ArrowRight");
  check(await at(), last, "nothing beyond the last");
  await press("Home");
  await click("#forth"); await click("#forth");
  check(await at(), 2, "the button");
  await run("document.getElementById('slider').focus()");
  await press("ArrowRight");
  check(await at(), 3, "the slider by key");
  await run("document.activeElement.blur()");
  await click("#curve");
  check(Math.abs(await at() - last / 2) <= 1, true, "a click on the curve");
  const turns = await run("return document.querySelectorAll('#turning button').length");
  if (turns) {
    const before = await at();
    await click("#turning button");
    check((await text("move")).length > 0 && before !== await at(), true, "a turning point");
  }
  await click("#first");
  check(await at(), 0, "first");
  return {plies: last, turns};
};

try {
  await start();
  const [positionUrl, gameUrl] = [position, game].map(file => "file://" + resolve(file));
  for (const [width, height, scheme, name] of sizes) {
    await look(width, height, scheme, `position-${name}`, positionUrl);
    await terms();
    await lightUp(`position-${name}-lit`, "controlled squares");
    await look(width, height, scheme, `game-${name}`, gameUrl);
    await terms();
    console.log(name, await moves());
    await lightUp(`game-${name}-lit`, "controlled squares");
  }
  const log = await post("/se/log", {type: "browser"});
  check(log, [], "the console is empty");
  console.log(`${checks} checks passed`);
} finally {
  if (session) await call("DELETE", `/session/${session}`).catch(() => {});
  driver.kill();
}
