// The graph of the game: White's chances after each move, with the marked moves to click.

import {fill, h, s} from "./dom.js";
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
    element.hidden = nodes.length < 3 || values.filter(value => value !== null).length < nodes.length / 2;
    if (element.hidden) return;
    const x = index => (index / (nodes.length - 1)) * WIDTH;
    const y = value => HEIGHT * (1 - value);
    const left = index => `left: ${((100 * index) / (nodes.length - 1)).toFixed(2)}%`;
    let last = 0.5;
    const filled = values.map(value => (last = value ?? last));
    const points = filled.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
    const svg = s("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": "White's chances after each move"});
    svg.append(s("rect", {width: WIDTH, height: HEIGHT, class: "black-area"}),
      s("polygon", {points: `0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`, class: "white-area"}),
      s("line", {x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "middle"}));
    const at = event => {
      const box = svg.getBoundingClientRect();
      return nodes[Math.max(0, Math.min(nodes.length - 1, Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1))))];
    };
    svg.addEventListener("click", event => go(at(event)));
    svg.addEventListener("mousemove", event => {
      const node = at(event);
      element.title = node.parent ? `${node.numbered}${node.glyph} ${node.score ?? ""}` : "";
    });
    // A line and a number every ten or twenty moves.
    const every = nodes.length > 160 ? 40 : 20;
    const numbers = [];
    for (let ply = every; ply < nodes.length - 2; ply += every) {
      svg.append(s("line", {x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT, class: "tick"}));
      numbers.push(h("span", {class: "tick-number", style: left(ply), "aria-hidden": "true"}, String(nodes[ply].parent.pos.fullmoves)));
    }
    // Dots are elements of their own, so that they stay round.
    const dots = nodes.flatMap((node, index) => {
      const color = COLORS[node.glyph];
      const label = color && `${node.numbered}${node.glyph}`;
      const style = `${left(index)}; top: ${((100 * y(filled[index])) / HEIGHT).toFixed(2)}%; --dot: ${color}`;
      return color ? [h("button", {type: "button", class: "dot", title: label, "aria-label": label, style, onclick: () => go(node)})] : [];
    });
    fill(element, svg, numbers, h("span", {class: "here", hidden: true}), dots);
  },

  /** Marks the move on the board. */
  mark(element, game, node) {
    const here = element.querySelector(".here");
    if (!here) return;
    const {main} = game;
    here.hidden = main[node.ply] !== node;
    here.style.left = `${(100 * node.ply) / (main.length - 1)}%`;
  },
};
