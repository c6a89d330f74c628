// Freshet as a web worker: UCI lines in by `postMessage`, UCI lines out by `onmessage`, one string
// each, as sites use stockfish.js. A search keeps the worker busy, so `stop` reaches it only through
// shared memory; freshet.js sees to that, and to pages that may not share memory.

importScripts("engine.js");

const IS_STOP = 1;
const IS_PONDER_HIT = 2;
let shared = null;
const waiting = [];
let obey = (line) => waiting.push(line);

const signal = () => {
  if (!shared) return 0;
  const value = Atomics.load(shared, 0);
  // A ponderhit is told once; a stop holds until the next search.
  if (value === IS_PONDER_HIT) Atomics.store(shared, 0, 0);
  return value;
};

self.onmessage = ({ data }) => {
  if (typeof data === "string") {
    for (const line of data.split("\n")) obey(line.trimEnd());
  } else {
    shared = new Int32Array(data);
  }
};

(async () => {
  const wasm = await (await fetch("freshet.wasm")).arrayBuffer();
  const engine = await load(wasm, (line) => self.postMessage(line), signal);
  obey = (line) => {
    if (line === "quit") return self.close();
    engine(line);
  };
  waiting.splice(0).forEach(obey);
})().catch((error) => self.postMessage(`info string error: ${error.message}`));
