// Who answers the page: the program's own server, the WebAssembly module in a worker, or the answers
// that are written into a page of one file. All take the same requests (docs/board.md) and give the
// same answers.

import {place} from "./tree.js";

/** What a request gives: `for await (const answer of engine.ask(request))`. */
class NativeEngine {
  isLive = true;

  constructor(info) {
    this.info = info;
    this.page = crypto.randomUUID();
    this.number = 0;
  }

  can() { return true; }

  /** Whose request it is, and which: a later one ends those before it. */
  get headers() {
    this.number += 1;
    return {"X-Page": this.page, "X-Number": String(this.number)};
  }

  async *ask(request, signal) {
    const answer = await fetch("ask", {
      method: "POST", body: JSON.stringify(request), headers: this.headers, signal,
    }).catch(error => { throw error.name === "AbortError" ? error : new Error("no connection to the program"); });
    if (!answer.ok) throw new Error(await answer.text());
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const {value, done} = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
    }
  }

  /** Ends what runs. */
  stop() {
    return fetch("stop", {method: "POST", headers: this.headers}).catch(() => {});
  }
}

class WasmEngine {
  isLive = true;

  constructor() {
    this.info = {engine: "Freshet in this page", threads: 1, start: {}};
    this.begin();
  }

  can() { return true; }

  begin() {
    this.worker = new Worker("worker.js");
    this.worker.onmessage = ({data}) => {
      if (data.startsWith("{")) this.hear?.(JSON.parse(data));
      else if (data.startsWith("info string error: ")) this.fail(data.slice("info string error: ".length));
    };
    this.worker.onerror = () => this.fail("the engine could not be started");
  }

  /** The worker has ended: the next request gets another one. */
  fail(text) {
    const {hear} = this;
    this.hear = null;
    this.worker.terminate();
    this.worker = null;
    hear?.({type: "error", text});
  }

  async *ask(request) {
    // One request at a time: a search keeps the worker busy, so another one needs another worker.
    if (this.hear) this.stop();
    if (!this.worker) this.begin();
    const answers = [];
    let wake;
    const hear = answer => { answers.push(answer); wake?.(); };
    this.hear = hear;
    this.worker.postMessage(JSON.stringify(request));
    for (;;) {
      while (!answers.length) await new Promise(done => { wake = done; });
      const answer = answers.shift();
      const isLast = answer.type === "done" || answer.type === "error";
      if (isLast && this.hear === hear) this.hear = null;
      yield answer;
      if (isLast) return;
    }
  }

  stop() {
    if (!this.hear) return;
    const hear = this.hear;
    this.hear = null;
    this.worker.terminate();
    this.begin();
    hear({type: "done"});
  }
}

/** The answers of an engine to what was asked when the page was written (src/page.rs). */
class Recording {
  isLive = false;

  constructor({engine, start, terms, evaluations, answers}) {
    Object.assign(this, {terms, evaluations, answers});
    this.info = {engine: `Written by ${engine}`, start};
    this.kinds = new Set(["terms", ...Object.keys(answers).map(key => key.split(" ")[0])]);
  }

  /** Whether there are answers to requests of this kind. */
  can(kind) { return this.kinds.has(kind); }

  async *ask({do: kind, position, move, name}) {
    const here = place(position);
    const key = [kind, here, move || name].filter(Boolean).join(" ");
    const answers = kind === "terms" ? this.evaluation(here) : this.answers[key];
    if (answers) yield* answers;
    else if (kind !== "analyse") yield {type: "error", text: "This page has no engine: it only has answers for the positions and lines saved in it."};
    yield {type: "done"};
  }

  /** The table of terms, as a live engine gives it. */
  evaluation(here) {
    const found = this.evaluations[here];
    if (!found) return null;
    const [score, rows, walls] = found;
    const share = (cp, hex) => ({cp, squares: squares(hex)});
    return [{type: "terms", walls, evaluation: {score, rows: rows.map(([index, white, black, whites, blacks]) => {
      const [section, title, legend] = this.terms[index];
      return {section, title, legend, cp: white - black, white: share(white, whites), black: share(black, blacks)};
    })}}];
  }

  stop() {}
}

/** The names of the squares in a set, which is a number of 64 bits in hexadecimal: a1 is the lowest. */
function squares(hex) {
  const bits = BigInt(`0x${hex || 0}`);
  return Array.from({length: 64}, (_, index) => index)
    .filter(index => bits >> BigInt(index) & 1n)
    .map(index => "abcdefgh"[index % 8] + (1 + (index >> 3)));
}

/** The engine at hand. */
export async function engine() {
  if (globalThis.FRESHET_PAGE) return new Recording(globalThis.FRESHET_PAGE);
  // The program serves the page under its token; elsewhere the page stands on a static host.
  if (!/^\/[0-9a-f]{32}\/$/.test(location.pathname)) return new WasmEngine();
  const native = new NativeEngine(await (await fetch("start")).json());
  // As long as this connection stands, the program goes on. Kept, so that it is not collected.
  native.alive = new EventSource(`alive?${native.page}`);
  return native;
}
