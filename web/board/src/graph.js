// The graph of the game: White's chances after each move, with the marked moves to click.

import {s, fill} from "./dom.js";
import {expected} from "./tree.js";

const WIDTH = 600, HEIGHT = 96;
const COLORS = {"??": "var(--blunder)", "?": "var(--mistake)", "?!": "var(--inaccuracy)", "!": "var(--good)"};

export const graph = {
  /** White's expected result at a node, if the game's comments have it. */
  value(node) {
    if (node.pos.isCheckmate()) return node.pos.turn === "white" ? 0 : 1;
    return node.score === null ? null : expected(node.score);
  },

  draw(element, game, go) {
    const nodes = game.main;
    const values = nodes.map(node => graph.value(node));
    if (nodes.length < 3 || values.filter(value => value !== null).length < nodes.length / 2) {
      element.hidden = true;
      return;
    }
    element.hidden = false;
    const x = index => (index / (nodes.length - 1)) * WIDTH;
    const y = value => HEIGHT * (1 - value);
    let last = 0.5;
    const filled = values.map(value => (last = value ?? last));
    const points = filled.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
    const svg = s("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": "White's chances after each move"});
    svg.append(s("rect", {width: WIDTH, height: HEIGHT, class: "black-area"}),
      s("polygon", {points: `0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`, class: "white-area"}),
      s("line", {x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "middle"}));
    for (let ply = 20; ply < nodes.length; ply += 20) {
      svg.append(s("line", {x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT, class: "tick"}));
    }
    svg.addEventListener("click", event => {
      const box = svg.getBoundingClientRect();
      go(nodes[Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1))]);
    });
    // Dots are elements of their own, so that they stay round.
    const dots = nodes.flatMap((node, index) => {
      const color = COLORS[node.glyph];
      if (!color) return [];
      const dot = document.createElement("button");
      dot.type = "button";
      dot.className = "dot";
      dot.title = `${node.numbered}${node.glyph}`;
      dot.setAttribute("aria-label", `${node.numbered}${node.glyph}`);
      dot.style.left = `${(100 * x(index)) / WIDTH}%`;
      dot.style.top = `${(100 * y(filled[index])) / HEIGHT}%`;
      dot.style.setProperty("--dot", color);
      dot.addEventListener("click", () => go(node));
      return [dot];
    });
    fill(element, svg, dots);
  },
};
