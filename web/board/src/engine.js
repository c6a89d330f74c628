// Who answers the page: the program's own server, or the WebAssembly module in a worker. Both take
// the same requests (docs/board.md) and give the same answers.

/** What a request gives: `for await (const answer of engine.ask(request))`. */
class NativeEngine {
  constructor(info) {
    this.info = info;
    this.page = crypto.randomUUID();
    this.number = 0;
  }

  /** Whose request it is, and which: a later one ends those before it. */
  get headers() {
    this.number += 1;
    return {"X-Page": this.page, "X-Number": String(this.number)};
  }

  async *ask(request, signal) {
    const answer = await fetch("ask", {
      method: "POST", body: JSON.stringify(request), headers: this.headers, signal,
    });
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
  constructor() {
    this.info = {engine: "Freshet in this page", threads: 1, start: {}};
    this.begin();
  }

  begin() {
    this.worker = new Worker("worker.js");
    this.worker.onmessage = ({data}) => {
      if (data.startsWith("{")) this.hear?.(JSON.parse(data));
      else if (data.startsWith("info string error")) this.hear?.({type: "error", text: data.slice(12)});
    };
    this.worker.onerror = () => this.hear?.({type: "error", text: "the engine could not be started"});
  }

  async *ask(request) {
    // One request at a time: a search keeps the worker busy, so another one needs another worker.
    if (this.hear) this.stop();
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

/** The engine at hand; `null` for a page that only shows a game. */
export async function engine() {
  if (globalThis.FRESHET_GAME) return null;
  // The program serves the page under its token; elsewhere the page stands on a static host.
  if (!/^\/[0-9a-f]{32}\/$/.test(location.pathname)) return new WasmEngine();
  const native = new NativeEngine(await (await fetch("start")).json());
  // As long as this connection stands, the program goes on. Kept, so that it is not collected.
  native.alive = new EventSource(`alive?${native.page}`);
  return native;
}
