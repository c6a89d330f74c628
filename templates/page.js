"use strict";
{
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const make = (name, attributes, parent) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return parent.appendChild(node);
};
const element = (name, parent, text = "") => {
  const node = document.createElement(name);
  node.textContent = text;
  return parent.appendChild(node);
};
const signed = cp => cp > 0 ? "+" + cp : cp < 0 ? "\u2212" + -cp : "0";
const plain = cp => cp < 0 ? "\u2212" + -cp : String(cp);
const sign = cp => cp > 0 ? "plus" : cp < 0 ? "minus" : "";
const NAMES = {p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king"};
let plies = data.games[0].plies, now = 0, pinned = null;

// Squares are numbers, 0 for a1 to 63 for h8; sets of them are hexadecimal numbers.
const x = square => 45 * (square % 8), y = square => 45 * (7 - (square >> 3));
const squareName = square => "abcdefgh"[square % 8] + (1 + (square >> 3));
const squares = hex => {
  const set = BigInt("0x" + (hex || "0"));
  return [...Array(64).keys()].filter(square => set >> BigInt(square) & 1n);
};
const pieces = placement => {
  const found = [];
  placement.split("/").forEach((rank, row) => {
    let file = 0;
    for (const mark of rank) {
      if (mark >= "1" && mark <= "8") file += +mark;
      else found.push([8 * (7 - row) + file++, mark]);
    }
  });
  return found;
};

const board = $("board");
const layers = {};
for (const name of ["ground", "played", "lit", "pieces", "arrow"]) layers[name] = make("g", {}, board);
for (let square = 0; square < 64; square++) {
  const light = (square + (square >> 3)) % 2;
  make("rect", {x: x(square), y: y(square), width: 45, height: 45, class: light ? "sq-l" : "sq-d"}, layers.ground);
}
for (let line = 0; line < 8; line++) {
  make("text", {x: 2, y: 45 * (7 - line) + 10, class: "coord"}, layers.ground).textContent = line + 1;
  make("text", {x: 45 * line + 37, y: 357, class: "coord"}, layers.ground).textContent = "abcdefgh"[line];
}
const mark = (layer, list, name) =>
  list.forEach(square => make("rect", {x: x(square), y: y(square), width: 45, height: 45, class: name}, layers[layer]));

// While a term far down the table is lit, the board floats above the page.
const float = lit => {
  const place = $("place"), {bottom} = place.getBoundingClientRect();
  place.style.height = place.offsetHeight + "px";
  $("stage").classList.toggle("float", lit && bottom < 0);
  if (!$("stage").classList.contains("float")) place.style.height = "";
};

// Lights the squares of a term and says what it counts.
const light = row => {
  layers.lit.replaceChildren();
  document.querySelectorAll("tr.on").forEach(line => line.classList.remove("on"));
  float(row !== null);
  if (row === null) { $("hint").textContent = ""; return; }
  const [term, white, black, whites, blacks] = row;
  mark("lit", squares(whites), "lit-w");
  mark("lit", squares(blacks), "lit-b");
  const [, title, legend] = data.terms[term];
  $("hint").textContent = `${title}: ${legend} White ${signed(white)}, Black ${signed(black)}.`;
  document.querySelector(`tr[data-term="${term}"]`)?.classList.add("on");
};

const termLine = (body, row) => {
  const [term, white, black] = row;
  const line = element("tr", body);
  line.dataset.term = term;
  const head = element("th", line);
  head.scope = "row";
  const button = element("button", head, data.terms[term][1]);
  button.type = "button";
  button.setAttribute("aria-pressed", String(pinned === term));
  element("td", line, plain(white));
  element("td", line, plain(black));
  element("td", line, signed(white - black)).className = sign(white - black);
  const leave = () => light(plies[now].rows.find(other => other[0] === pinned) ?? null);
  line.onmouseenter = () => light(row);
  line.onmouseleave = leave;
  button.onfocus = () => light(row);
  button.onblur = leave;
  button.onclick = () => { pinned = pinned === term ? null : term; show(now); $("rows").querySelector(`tr[data-term="${term}"] button`)?.focus(); };
};

const table = rows => {
  const body = $("rows");
  body.replaceChildren();
  const difference = ([, white, black]) => white - black;
  if ($("largest").checked) {
    [...rows].sort((a, b) => Math.abs(difference(b)) - Math.abs(difference(a))).forEach(row => termLine(body, row));
    return;
  }
  for (const section of new Set(data.terms.map(([name]) => name))) {
    const inside = rows.filter(([term]) => data.terms[term][0] === section);
    if (!inside.length) continue;
    const line = element("tr", body);
    line.className = "group";
    element("th", line, section).scope = "row";
    const sum = index => inside.reduce((all, row) => all + row[index], 0);
    element("td", line, plain(sum(1)));
    element("td", line, plain(sum(2)));
    element("td", line, signed(sum(1) - sum(2))).className = sign(sum(1) - sum(2));
    inside.forEach(row => termLine(body, row));
  }
};

const show = ply => {
  now = Math.max(0, Math.min(ply, plies.length - 1));
  const here = plies[now];
  layers.pieces.replaceChildren();
  layers.arrow.replaceChildren();
  layers.played.replaceChildren();
  mark("played", here.played, "played");
  const standing = pieces(here.board);
  for (const [square, piece] of standing) {
    const role = piece.toLowerCase();
    make("use", {href: "#piece-" + role, x: x(square), y: y(square), width: 45, height: 45, class: piece === role ? "b" : "w"}, layers.pieces);
  }
  if (here.best.length) {
    const [from, to] = here.best.map(square => [x(square) + 22.5, y(square) + 22.5]);
    make("line", {x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: "arrow", "marker-end": "url(#head)"}, layers.arrow);
  }
  const list = white => standing.filter(([, piece]) => (piece === piece.toUpperCase()) === white)
    .map(([square, piece]) => NAMES[piece.toLowerCase()] + " " + squareName(square)).join(", ");
  $("position").textContent = `${here.turn} to move. White: ${list(true)}. Black: ${list(false)}.`;
  const [win, draw, loss] = here.wdl;
  $("score").textContent = here.score.replace("-", "\u2212");
  $("verdict").textContent = here.turn + " to move";
  $("chances").textContent = `White ${Math.round(win / 10)} %, draw ${Math.round(draw / 10)} %, Black ${Math.round(loss / 10)} %`;
  $("fill").style.height = (win + draw / 2) / 10 + "%";
  $("bar").setAttribute("aria-label", `Evaluation bar: White's expected score ${Math.round((win + draw / 2) / 10)} %`);
  $("move").textContent = here.move + here.mark;
  $("line").textContent = here.line || "the game is over";
  $("total").textContent = signed(here.total);
  table(here.rows);
  light(here.rows.find(row => row[0] === pinned) ?? null);
  if ($("slider")) {
    $("slider").value = now;
    $("slider").setAttribute("aria-valuetext", here.move || "start");
    $("first").disabled = $("back").disabled = now === 0;
    $("last").disabled = $("forth").disabled = now === plies.length - 1;
    const at = 400 * now / Math.max(plies.length - 1, 1);
    $("now").setAttribute("x1", at);
    $("now").setAttribute("x2", at);
  }
};

const expected = ({wdl: [win, draw]}) => (win + draw / 2) / 1000;

// The curve and the marked moves of the game.
const draw = () => {
  const last = Math.max(plies.length - 1, 1);
  const point = (ply, index) => [400 * index / last, 105 - 100 * expected(ply)];
  const points = plies.map(point).map(pair => pair.map(value => value.toFixed(1)).join(","));
  const curve = $("curve");
  curve.replaceChildren();
  $("turning").replaceChildren();
  make("polygon", {points: `0,110 ${points.join(" ")} 400,110`, class: "area"}, curve);
  make("line", {x1: 0, x2: 400, y1: 55, y2: 55, class: "half"}, curve);
  make("polyline", {points: points.join(" "), class: "trace"}, curve);
  make("line", {id: "now", y1: 0, y2: 110, class: "now"}, curve);
  plies.forEach((ply, index) => {
    if (!ply.mark) return;
    const [cx, cy] = point(ply, index);
    make("line", {x1: cx, x2: cx, y1: cy, y2: cy, class: "turn"}, curve);
    const button = element("button", element("li", $("turning")), ply.move);
    button.type = "button";
    element("b", button, ply.mark + " ");
    if (ply.better) element("span", button, `better ${ply.better.replace(/^-/, "\u2212")}`);
    button.onclick = () => show(index);
  });
  if (!$("turning").children.length) element("li", $("turning"), "None: no move loses much.");
  $("slider").max = plies.length - 1;
};

if ($("slider")) {
  const curve = $("curve");
  $("slider").oninput = event => show(+event.target.value);
  curve.onclick = event => {
    const {left, width} = curve.getBoundingClientRect();
    show(Math.round((plies.length - 1) * (event.clientX - left) / width));
  };
  $("first").onclick = () => show(0);
  $("back").onclick = () => show(now - 1);
  $("forth").onclick = () => show(now + 1);
  $("last").onclick = () => show(plies.length - 1);
  document.addEventListener("keydown", event => {
    if ([$("slider"), $("game")].includes(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    const go = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: plies.length - 1}[event.key];
    if (go !== undefined) { event.preventDefault(); show(go); }
  });
}
const choose = index => {
  const game = data.games[index];
  plies = game.plies;
  $("title").textContent = game.title;
  $("subtitle").textContent = game.subtitle;
  if ($("slider")) draw();
  show(0);
};
if ($("game")) {
  data.games.forEach(({title, subtitle}, index) => element("option", $("game"), `${index + 1}. ${title} (${subtitle})`));
  $("game").onchange = event => choose(event.target.selectedIndex);
}
$("largest").onchange = () => show(now);
choose(0);
}
