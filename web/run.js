// node run.js freshet.wasm LINE...: tells the engine these UCI lines, and prints its answers.

const { readFileSync } = require("node:fs");
const { load } = require("./engine.js");

const [file, ...lines] = process.argv.slice(2);
load(readFileSync(file), (line) => console.log(line), () => 0).then((obey) => lines.forEach(obey));
