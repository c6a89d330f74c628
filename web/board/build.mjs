// Bundles the board into templates/board: `npm ci && npm run build`.
//
// The bundle is committed, so that `cargo build` needs no node. With `--check` nothing is written,
// and the status is 1 if the committed bundle is not what these sources give.

import {build} from "esbuild";
import {readFileSync, writeFileSync} from "node:fs";

const target = new URL("../../templates/board/", import.meta.url);
const notice = `/*! Freshet's board, GPL-3.0-or-later. With chessground and chessops by Niklas Fiekas and
lichess.org, GPL-3.0-or-later, @badrap/result (MIT), and the pieces of Colin M. L. Burnett,
GPL-2.0-or-later. The sources are in web/board of Freshet. */`;

const {outputFiles} = await build({
  entryPoints: {app: "src/main.js"},
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  outdir: "out",
  write: false,
  charset: "utf8",
  legalComments: "none",
  banner: {js: notice, css: notice},
  absWorkingDir: new URL(".", import.meta.url).pathname,
});
const files = new Map(outputFiles.map(({path, text}) => [path.split("/").pop(), text]));
files.set("index.html", readFileSync(new URL("src/index.html", import.meta.url), "utf8"));

let isSame = true;
for (const [name, text] of files) {
  const path = new URL(name, target);
  if (process.argv.includes("--check")) {
    if (readFileSync(path, "utf8") !== text) {
      console.error(`templates/board/${name} is not what web/board gives: npm run build`);
      isSame = false;
    }
  } else {
    writeFileSync(path, text);
    console.log(`templates/board/${name}: ${Buffer.byteLength(text)} bytes`);
  }
}
process.exit(isSame ? 0 : 1);
