// The table of terms and the pictures of fills, whose squares light up on the board.

import {fill, h} from "./dom.js";
import {Game} from "./tree.js";

const signed = number => (Number(number) > 0 ? `+${number}` : String(number));

/** A panel that asks once it is opened, and again when the position changes. `show` fills it, or gives
 * `false` if there is no answer. */
function panel(app, title, show) {
  const body = h("div", {});
  const ask = async () => {
    if (await show(body) === false) fill(body, h("p", {class: "hint"}, "This page keeps no answer for this position."));
  };
  const element = h("details", {class: "panel", ontoggle: () => element.open && ask()}, h("summary", {}, title), body);
  element.addEventListener("toggle", () => { if (!element.open) app.light(new Map()); });
  document.addEventListener("position", () => { if (element.open) ask(); });
  return element;
}

export function termsPanel(app) {
  return panel(app, "Evaluation, term by term", async body => {
    const answer = await app.once({do: "terms", position: Game.history(app.at)}).catch(() => null);
    if (!answer?.evaluation) return false;
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
            onmouseleave: () => app.light(new Map()), onblur: () => app.light(new Map())},
            h("th", {scope: "row"}, row.title), h("td", {}, String(row.white.cp)), h("td", {}, String(row.black.cp)), h("td", {}, signed(row.cp))))))));
  });
}

export function fillsPanel(app) {
  let names = null, chosen = "", number = 0;
  const ask = async body => {
    if (!app.engine.isLive) names = null;
    names ??= (await app.once({do: "fills", position: Game.history(app.at)}).catch(() => null))?.pictures;
    if (!names) return false;
    const answer = chosen && (await app.once({do: "fills", position: Game.history(app.at), name: chosen}).catch(() => null));
    const boards = answer ? answer.boards : [];
    number = Math.min(number, Math.max(0, boards.length - 1));
    const board = boards[number];
    fill(body,
      h("select", {"aria-label": "Picture", onchange: event => { chosen = event.target.value; number = 0; ask(body); }},
        h("option", {value: ""}, "none"), names.map(({name}) => h("option", {value: name, selected: name === chosen}, name))),
      answer && h("p", {class: "hint"}, answer.what),
      board && h("div", {class: "row", role: "group"}, boards.map(({title}, index) =>
        h("button", {type: "button", "aria-pressed": String(index === number), onclick: () => { number = index; ask(body); }}, title))));
    const kinds = {White: "white", Black: "black", both: "both", way: "way", goal: "good", closed: "bad"};
    app.light(new Map(board ? board.marks.map(([square, mark]) => [square, `lit-${kinds[mark]}`]) : []),
      board ? board.texts.map(([square, text]) => ({orig: square, label: {text}})) : []);
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
