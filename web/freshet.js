// Freshet for a page:
//
//     const engine = new Freshet("worker.js");
//     engine.onmessage = ({ data: line }) => console.log(line);
//     engine.postMessage("position startpos moves e2e4");
//     engine.postMessage("go movetime 1000");
//
// It looks like the worker of stockfish.js: `postMessage`, `onmessage`, `addEventListener`,
// `terminate`. `stop` and `ponderhit` always work. Where the page may share memory (it is
// cross-origin isolated), they reach a running search at once. Elsewhere the worker is ended, the
// best move of its last report is the answer, and a new worker is started with the same options; its
// hash table is empty.

class Freshet extends EventTarget {
  constructor(url = "worker.js") {
    super();
    this.url = url;
    this.onmessage = null;
    // What a new worker has to be told: the options, and the last position.
    this.options = new Map();
    this.position = "position startpos";
    this.queue = [];
    this.search = null;
    this.start();
  }

  start() {
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.tell(`info string error: ${event.message}`);
    this.signal = null;
    if (typeof SharedArrayBuffer !== "undefined") {
      try {
        const memory = new SharedArrayBuffer(4);
        this.worker.postMessage(memory);
        this.signal = new Int32Array(memory);
      } catch {
        // The page may not share memory.
      }
    }
  }

  terminate() {
    this.worker.terminate();
  }

  // Lines for the engine, one or more.
  postMessage(text) {
    for (const line of String(text).split("\n")) this.send(line.trim());
  }

  send(line) {
    const word = line.split(/\s+/)[0];
    if (word === "quit") return this.terminate();
    if (word === "stop") return this.stop();
    if (word === "ponderhit") return this.ponderHit();
    if (this.search) {
      // While it searches, the engine would answer too late.
      if (word === "isready") return this.tell("readyok");
      return this.queue.push(line);
    }
    if (word === "setoption") {
      const name = /name\s+(.*?)(\s+value\s|$)/.exec(line)?.[1] ?? line;
      this.options.set(name.toLowerCase(), line);
    }
    if (word === "position") this.position = line;
    if (word === "go") {
      const waits = /\binfinite\b/.test(line);
      const ponders = /\bponder\b/.test(line);
      if (!/\bperft\b/.test(line)) this.search = { line, waits, ponders, best: null, held: null };
      if (this.signal) Atomics.store(this.signal, 0, 0);
    }
    this.worker.postMessage(line);
  }

  hear(line) {
    const search = this.search;
    if (search && line.startsWith("info ")) {
      if (!/ multipv (?!1 )/.test(line)) search.best = / pv (\S+)/.exec(line)?.[1] ?? search.best;
    }
    if (search && line.startsWith("bestmove")) {
      // An infinite or pondering search may end by itself, but not answer.
      if (search.waits || search.ponders) {
        search.held = line;
        return;
      }
      this.tell(line);
      return this.ended();
    }
    this.tell(line);
  }

  stop() {
    const search = this.search;
    if (!search) return;
    search.waits = search.ponders = false;
    if (search.held) {
      this.tell(search.held);
      this.ended();
    } else if (this.signal) {
      Atomics.store(this.signal, 0, 1);
    } else {
      this.worker.terminate();
      this.start();
      for (const option of this.options.values()) this.worker.postMessage(option);
      this.worker.postMessage(this.position);
      if (search.best) {
        this.tell(`bestmove ${search.best}`);
        this.ended();
      } else {
        // Stopped before its first report: any move will do, but it must be legal.
        this.search = { line: "go depth 1", waits: false, ponders: false, best: null, held: null };
        this.worker.postMessage("go depth 1");
      }
    }
  }

  ponderHit() {
    const search = this.search;
    if (!search?.ponders) return;
    search.ponders = false;
    if (search.held) {
      this.tell(search.held);
      this.ended();
    } else if (this.signal) {
      Atomics.store(this.signal, 0, 2);
    } else {
      // Without shared memory the running search cannot be told: it begins again, with the clock.
      this.worker.terminate();
      this.start();
      for (const option of this.options.values()) this.worker.postMessage(option);
      this.worker.postMessage(this.position);
      search.line = search.line.replace(/\bponder\b/, " ");
      this.worker.postMessage(search.line);
    }
  }

  ended() {
    this.search = null;
    while (this.queue.length && !this.search) this.send(this.queue.shift());
  }

  // A line of the engine, to whoever listens.
  tell(line) {
    const event = new MessageEvent("message", { data: line });
    this.onmessage?.(event);
    this.dispatchEvent(event);
  }
}
