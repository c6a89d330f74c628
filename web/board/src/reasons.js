// Why: the explanation of a move, its lines to step through, and the squares that each fact is
// about.

import {fill, h} from "./dom.js";
import {Game, parseSan, position, withNumber} from "./tree.js";
import {makeFen} from "chessops/fen";
import {makeUci} from "chessops/util";
import {makeSan} from "chessops/san";

/** A line as steps on the board: its positions, with numbers. */
function steps(fen, sans) {
  const pos = position(fen);
  return sans.map((san, index) => {
    const move = parseSan(pos, san);
    if (!move) return null;
    const label = withNumber(pos, san, index === 0);
    const uci = makeUci(move);
    pos.play(move);
    return {
      label, fen: makeFen(pos.toSetup()), last: [uci.slice(0, 2), uci.slice(2, 4)],
      turn: pos.turn, isCheck: pos.isCheck(),
    };
  }).filter(Boolean);
}

const WORDS = {
  mateIn1: "mate in one", mateIn2: "mate in two", mateIn3: "mate in three", mateIn4: "mate in four", mateIn5: "long mate",
  xRayAttack: "x-ray",
};
/** `hangingPiece` as people write it: `hanging piece`. */
const theme = label => WORDS[label] ?? label.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

export class Reasons {
  constructor(app) {
    this.app = app;
    /** What was told of a node, so that it is told again when the board comes back to it. */
    this.told = new WeakMap();
    this.body = h("div", {class: "reason-body", "aria-live": "polite"});
    this.element = h("section", {class: "panel reason", "aria-label": "Why"}, this.body);
    this.hint();
  }

  hint() {
    const {app} = this;
    const text = app.engine.isLive
      ? "Play a move or open a game, and press Explain: the reason for the move on the board, or for the best one."
      : "Step through the game with the arrow keys.";
    fill(this.body, h("p", {class: "hint"}, text));
    this.shown = null;
  }

  /** The board has gone to another position. */
  left() {
    const {at} = this.app;
    this.threatened = null;
    this.shown = null;
    const told = at && this.told.get(at);
    if (told) {
      this.shown = at;
      return this.tell(...told);
    }
    if (at?.text) fill(this.body, h("p", {class: "verdict"}, at.text)); else this.hint();
  }

  /** Explains the move that led to the position, or the best one at the start. */
  explain() {
    const {app} = this;
    if (!app.engine.can("explain")) return;
    if (app.at.parent) return this.ask({do: "explain", position: Game.history(app.at.parent), move: app.at.uci}, app.at);
    const best = app.latest?.node === app.at && app.latest.lines[0]?.moves[0];
    if (best) this.why(app.at, best);
    else app.problem("There is no move to explain yet: play one, or turn the analysis on.");
  }

  /** Explains a move that has not been played. */
  why(node, uci) {
    return this.ask({do: "explain", position: Game.history(node), move: uci}, node);
  }

  async ask(request, node) {
    const {app} = this;
    fill(this.body, h("p", {class: "hint"}, "Looking for the reason…"));
    this.shown = node;
    try {
      const answer = await app.once(request);
      if (!answer?.explanation) throw new Error("There is nothing to explain here.");
      const told = [answer.explanation, node, request.moves];
      this.told.set(node, told);
      if (this.shown === node) this.tell(...told);
    } catch (error) {
      if (error.name !== "AbortError" && this.shown === node) fill(this.body, h("p", {class: "problem"}, error.message));
    }
  }

  /** `compared`: the two moves that were compared, if two were. */
  tell(told, node, compared) {
    const {app} = this;
    const isEven = compared && told.better && told.verdict === "Good";
    const {text} = told;
    const lines = [
      ["The line", told.fen, told.line],
      told.threat && ["It threatens", told.threat.fen, told.threat.line],
      told.danger && ["What was threatened", told.danger.fen, told.danger.line],
      told.refused?.answer && [`If ${told.refused.move}`, told.refused.answer.fen, told.refused.answer.line],
      told.better && [isEven ? "The other move" : "Better", told.fen, told.better.line],
    ].filter(Boolean);
    const facts = told.facts.filter(fact => !fact.motif.startsWith("mateIn"));
    fill(this.body,
      h("p", {class: `verdict ${told.verdict.toLowerCase()}`}, text),
      facts.length ? h("ul", {class: "facts"}, facts.map(fact => this.fact(fact))) : null,
      lines.map(([name, fen, sans]) => this.line(name, fen, sans)),
      // Only what is about the move on the board can be its comment.
      node.san === told.move && h("div", {class: "row"}, h("button", {type: "button", title: "Write this down as a comment of the move", onclick: () => this.write(node, text)}, "Add to the game")),
      app.engine.can("compare") && this.comparison(node, told, compared));
    if (facts[0]) this.lightFact(facts[0], node);
  }

  /** Writes what was told into the game. */
  write(node, text) {
    if (!node.text.includes(text)) node.comments = [...node.comments, text];
    this.app.changed();
  }

  /** Marks no step of a line any more. */
  clearSteps() {
    this.body.querySelectorAll("[aria-current]").forEach(step => step.removeAttribute("aria-current"));
  }

  /** A fact that shows its position and squares. */
  fact(fact) {
    const {app} = this;
    let before = null;
    const hide = () => app.show(before);
    const show = () => {
      if (app.preview?.fact !== fact) before = app.preview;
      const [step] = steps(fact.fen, [fact.move]);
      if (!step) return;
      const kind = fact.side === "white" ? "white" : "black";
      const squares = new Map(fact.squares.map(square => [square, `lit-${kind}`]));
      const from = step.last[1];
      const shapes = fact.squares.filter(square => square !== from).map(square => ({orig: from, dest: square, brush: "yellow"}));
      app.show({...step, fact, squares, shapes: fact.squares.length > 1 || fact.motif === "pin" ? shapes : []});
    };
    return h("li", {}, h("button", {type: "button", title: fact.text, onclick: show, onmouseenter: show, onfocus: show,
      onmouseleave: hide, onblur: hide}, theme(fact.motif)));
  }

  /** The squares of the fact that the move on the board itself shows. */
  lightFact(fact, node) {
    const [step] = steps(fact.fen, [fact.move]);
    if (step?.fen.split(" ")[0] !== node.fen.split(" ")[0]) return;
    this.app.light(new Map(fact.squares.map(square => [square, `lit-${fact.side}`])));
  }

  /** A line whose moves step on the board. */
  line(name, fen, sans) {
    const {app} = this;
    const all = steps(fen, sans.slice(0, 12));
    if (!all.length) return null;
    let chosen = -1;
    const buttons = all.map((step, index) => h("button", {type: "button", class: "san", onclick: () => show(index)}, step.label));
    const show = index => {
      chosen = Math.max(-1, Math.min(index, all.length - 1));
      buttons.forEach((button, at) => at === chosen ? button.setAttribute("aria-current", "true") : button.removeAttribute("aria-current"));
      app.show(chosen < 0 ? null : all[chosen]);
    };
    const place = this.place(fen);
    const keep = place && h("button", {type: "button", class: "small", title: "Add this line to the game", onclick: () => {
      app.show(null);
      this.addLine(place, sans.slice(0, Math.max(chosen + 1, 1)));
    }}, "+");
    return h("div", {class: "steps", onkeydown: event => {
      const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      show(chosen + by);
      buttons[Math.max(0, chosen)].focus();
    }}, h("span", {class: "name"}, name), h("span", {class: "pv"}, buttons), keep);
  }

  /** The node of the game with the position of a line, the side to move included. */
  place(fen) {
    const key = text => text.split(" ").slice(0, 2).join(" ");
    const {at} = this.app;
    return [at, at.parent].find(node => node && key(node.fen) === key(fen));
  }

  addLine(start, sans) {
    const {app} = this;
    let node = start;
    for (const san of sans) {
      const move = parseSan(node.pos, san);
      if (!move) break;
      node = app.game.play(node, move);
    }
    app.notice("");
    app.changed();
    app.go(node);
  }

  /** A choice of two moves to compare. */
  comparison(node, told, compared) {
    const pos = position(told.fen);
    const legal = [];
    for (const [from, targets] of pos.allDests()) {
      for (const to of targets) {
        const isPromotion = pos.board.get(from).role === "pawn" && (to >> 3 === 0 || to >> 3 === 7);
        const move = isPromotion ? {from, to, promotion: "queen"} : {from, to};
        legal.push(makeSan(pos, move));
      }
    }
    legal.sort();
    const other = told.better?.move ?? legal.find(san => san !== told.move);
    const choose = chosen => h("select", {"aria-label": "A move to compare"}, legal.map(san => h("option", {selected: san === chosen}, san)));
    const [first, second] = [choose(told.move), choose(other)];
    const start = node.fen.split(" ")[0] === told.fen.split(" ")[0] ? node : node.parent;
    return h("details", {class: "compare", open: Boolean(compared)}, h("summary", {}, "Compare two moves"),
      h("div", {class: "row"}, first, " with ", second, h("button", {type: "button", onclick: () => {
        if (first.value !== second.value) this.ask({do: "compare", position: Game.history(start), moves: [first.value, second.value]}, node);
      }}, "Why?")));
  }

  /** What the other side threatens. */
  async threat() {
    const {app} = this;
    if (!app.engine.can("threat")) return;
    const node = app.at;
    if (this.threatened === node) {
      this.left();
      return app.light();
    }
    this.threatened = node;
    this.shown = node;
    if (node.pos.isCheck() || node.pos.isEnd()) {
      fill(this.body, h("p", {class: "verdict"}, node.pos.isEnd() ? "The game is over." : "The king is in check: that is the threat."));
      return;
    }
    fill(this.body, h("p", {class: "hint"}, "Looking for threats…"));
    try {
      const answer = await app.once({do: "threat", position: Game.history(node)});
      if (!answer || this.shown !== node) return;
      const side = node.pos.turn === "white" ? "Black" : "White";
      const {threat} = answer;
      if (!threat) {
        fill(this.body, h("p", {class: "verdict"}, `${side} threatens nothing that wins material or mates at once.`));
        return;
      }
      fill(this.body, h("p", {class: "verdict"}, `${side} threatens ${threat.text}.`), this.line("The threat", threat.fen, threat.sans));
      const [m] = threat.moves;
      app.light(new Map([[m.slice(2, 4), "lit-bad"]]), [{orig: m.slice(0, 2), dest: m.slice(2, 4), brush: "red"}]);
    } catch (error) {
      if (error.name !== "AbortError" && this.shown === node) fill(this.body, h("p", {class: "problem"}, error.message));
    }
  }
}
