// The WebAssembly module of Freshet with the few calls to a system that it makes: a clock, random
// numbers, and output. Files and threads there are none. Used by worker.js and run.js.

const NOT_SUPPORTED = 58;
const BAD_FILE = 8;

// Makes an engine of the module. `say` gets each line of output, `signal` is asked now and then
// during a search: 1 for `stop`, 2 for `ponderhit`, else 0. The result is a function that obeys a
// line.
async function load(wasm, say, signal) {
  let memory;
  const view = () => new DataView(memory.buffer);
  const decoder = new TextDecoder();
  let rest = "";
  const write = (start, length) => {
    rest += decoder.decode(new Uint8Array(memory.buffer, start, length), { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop();
    lines.forEach(say);
  };
  const calls = {
    clock_time_get(id, _precision, out) {
      const now = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(out, BigInt(Math.round(now * 1e6)), true);
      return 0;
    },
    random_get(start, length) {
      crypto.getRandomValues(new Uint8Array(memory.buffer, start, length));
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    args_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    args_get: () => 0,
    // Standard error, of a panic: to the console.
    fd_write(file, vectors, count, written) {
      let total = 0;
      let text = "";
      for (let i = 0; i < count; i++) {
        const start = view().getUint32(vectors + 8 * i, true);
        const length = view().getUint32(vectors + 8 * i + 4, true);
        text += new TextDecoder().decode(new Uint8Array(memory.buffer, start, length));
        total += length;
      }
      view().setUint32(written, total, true);
      if (text.trim()) console.error(text.trimEnd());
      return 0;
    },
    fd_prestat_get: () => BAD_FILE,
    fd_prestat_dir_name: () => BAD_FILE,
    sched_yield: () => 0,
    proc_exit(status) {
      throw new Error(`the engine has ended with status ${status}`);
    },
  };
  // Whatever else the standard library may call is answered with "not supported".
  const system = new Proxy(calls, { get: (known, name) => known[name] ?? (() => NOT_SUPPORTED) });
  const module = await WebAssembly.compile(wasm);
  const imports = { freshet: { write, signal } };
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    if (from === "wasi_snapshot_preview1") (imports[from] ??= {})[name] = system[name];
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  memory = exports.memory;
  exports._initialize?.();
  return (line) => {
    const bytes = new TextEncoder().encode(line);
    const start = exports.freshet_buffer(bytes.length);
    new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
    exports.freshet_line();
  };
}

if (typeof module !== "undefined") module.exports = { load };
