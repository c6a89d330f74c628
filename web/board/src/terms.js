// The table of terms and the pictures of fills, whose squares light up on the board.

import {fill, h, s} from "./dom.js";
import {Game} from "./tree.js";

const signed = number => (Number(number) > 0 ? `+${number}` : String(number));

/** The answer to a request; `false` if a page without an engine does not keep it, and `null` if the
 * engine has no time for it. */
const asked = (app, request) => app.once(request).catch(() => app.engine.isLive ? null : false);

/** A panel that asks once it is opened, and again when the position changes. `show` fills it, or gives
 * `false` if there is no answer. */
function panel(app, title, show) {
  const body = h("div", {});
  const ask = async () => {
    const shown = await show(body).catch(error => error.message);
    if (shown === false) fill(body, h("p", {class: "hint"}, "This page has no data for this position."));
    if (shown === null && app.isAnnotating) fill(body, h("p", {class: "hint"}, "Not available while the game is being annotated."));
  };
  const element = h("details", {class: "panel", ontoggle: () => element.open && ask()}, h("summary", {}, title), body);
  element.addEventListener("toggle", () => {
    if (element.open) return;
    if (element === app.el.fills) app.map = {squares: new Map(), shapes: []};
    app.light();
  });
  document.addEventListener("position", () => { if (element.open) ask(); });
  return element;
}

export function termsPanel(app) {
  return panel(app, "Evaluation, term by term", async body => {
    const answer = await asked(app, {do: "terms", position: Game.history(app.at)});
    if (!answer) return answer;
    const rows = answer.evaluation.rows.filter(row => row.white.cp || row.black.cp);
    const light = row => app.light(new Map([
      ...row.white.squares.map(square => [square, "lit-white"]),
      ...row.black.squares.map(square => [square, row.white.squares.includes(square) ? "lit-both" : "lit-black"]),
    ]));
    const sections = new Map();
    for (const row of rows) sections.set(row.section, [...(sections.get(row.section) ?? []), row]);
    let isFirst = true;
    const step = event => {
      const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
      if (!by) return;
      event.preventDefault();
      const all = [...body.querySelectorAll("tr[tabindex]")];
      const next = all[all.indexOf(event.currentTarget) + by];
      if (!next) return;
      event.currentTarget.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    };
    fill(body,
      answer.walls.map(line => h("p", {class: "wall"}, line)),
      h("p", {class: "hint"}, `Without a search: ${signed((answer.evaluation.score / 100).toFixed(2))} from White's view. The rows are centipawns for each side. A search sees captures and threats that this does not, so its score differs.`),
      h("table", {}, h("thead", {}, h("tr", {}, ["Term", "White", "Black", "Difference"].map(text => h("th", {scope: "col"}, text)))),
        [...sections].map(([section, list]) => h("tbody", {},
          h("tr", {class: "section"}, h("th", {scope: "rowgroup", colspan: "3"}, section), h("td", {}, signed(list.reduce((sum, row) => sum + row.cp, 0)))),
          list.map(row => h("tr", {tabindex: isFirst ? (isFirst = false, "0") : "-1", title: row.legend, onkeydown: step, onmouseenter: () => light(row), onfocus: () => light(row),
            onmouseleave: () => app.light(), onblur: () => app.light()},
            h("th", {scope: "row"}, row.title), h("td", {}, String(row.white.cp)), h("td", {}, String(row.black.cp)), h("td", {}, signed(row.cp))))))));
  });
}

/** A word in the middle of a square, as SVG. */
function written(text) {
  const element = s("text", {x: 50, y: 50, "text-anchor": "middle", "dominant-baseline": "central", "font-size": text.length > 3 ? 30 : 40,
    "font-weight": 700, fill: "#fff", stroke: "#000", "stroke-width": 6, "paint-order": "stroke"});
  element.textContent = text;
  return element.outerHTML;
}

export function fillsPanel(app) {
  let names = null, chosen = "", number = 0;
  const ask = async body => {
    if (!app.engine.isLive) names = null;
    const list = names ?? await asked(app, {do: "fills", position: Game.history(app.at)});
    const {at} = app;
    if (!list) return list;
    names = list.pictures ?? list;
    const answer = chosen && await asked(app, {do: "fills", position: Game.history(app.at), name: chosen});
    if (app.at !== at) return null;
    const boards = answer ? answer.boards : [];
    number = Math.min(number, Math.max(0, boards.length - 1));
    const board = boards[number];
    fill(body,
      h("select", {"aria-label": "Picture", onchange: event => { chosen = event.target.value; number = 0; event.target.blur(); ask(body); }},
        h("option", {value: ""}, "none"), names.map(({name}) => h("option", {value: name, selected: name === chosen}, name))),
      answer && h("p", {class: "hint"}, answer.what),
      board && h("div", {class: "row", role: "group"}, boards.map(({title}, index) =>
        h("button", {type: "button", "aria-pressed": String(index === number), onclick: () => { number = index; ask(body); }}, title))));
    const kinds = {White: "white", Black: "black", both: "both", way: "way", goal: "good", closed: "bad"};
    const shown = board ? [...new Set(board.marks.map(([, mark]) => mark))] : [];
    const words = {both: "both sides", way: "a way", goal: "a goal"};
    if (shown.length) body.append(h("p", {class: "legend"}, shown.map(kind => h("span", {}, h("i", {class: `lit-${kinds[kind]}`}), words[kind] ?? kind))));
    app.map = {
      squares: new Map(board ? board.marks.map(([square, mark]) => [square, `lit-${kinds[mark]}`]) : []),
      shapes: board ? board.texts.map(([square, text]) => ({orig: square, customSvg: {html: written(text), center: "orig"}})) : [],
    };
    app.light();
  };
  const element = panel(app, "Maps: attacks, space, ways of the king", ask);
  /** Shows the wall, if it is proven that there is one. */
  element.showWall = async () => {
    const terms = await app.once({do: "terms", position: Game.history(app.at)});
    if (!terms.walls.length) return;
    chosen = "wall";
    element.open = true;
  };
  return element;
}
