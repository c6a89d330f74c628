// A game against the engine: at a level, with a word on bad moves, take back, and hints in three
// steps: which piece, which square, and why.

import {h} from "./dom.js";
import {Game, outcome, parseUci} from "./tree.js";

const LEVELS = [800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600];

export class Play {
  constructor(app) {
    this.app = app;
    /** The person's side, while a game is played. */
    this.side = null;
    const blur = event => event.target.blur();
    this.level = h("select", {"aria-label": "Level", onchange: blur}, LEVELS.map(elo => h("option", {value: String(elo), selected: elo === 1400}, `Elo ${elo}`)),
      h("option", {value: ""}, "full strength"));
    this.tells = h("input", {type: "checkbox", checked: true, onchange: blur});
    const button = (label, onclick) => h("button", {type: "button", onclick}, label);
    this.hintButton = button("Hint", () => this.hint());
    this.said = h("p", {class: "verdict", "aria-live": "polite"});
    this.element = h("details", {class: "panel"}, h("summary", {}, "Play against Freshet"),
      h("div", {class: "row"}, this.level, h("label", {}, this.tells, " Tell me when I play a bad move")),
      h("div", {class: "row"}, button("White from here", () => this.start("white")), button("Black from here", () => this.start("black"))));
    /** Stands beside the board while a game is played. */
    this.beside = h("section", {class: "panel match", hidden: true, "aria-label": "Game against Freshet"}, this.said, h("div", {class: "row"},
      this.hintButton, button("Take back", () => this.takeBack()), button("Stop playing", () => this.stop())));
  }

  say(text) { this.said.textContent = text; }

  start(side) {
    this.begin(side, this.app.isOn);
    if (this.app.flipped !== (side === "black")) this.app.flip();
    this.say("Good luck.");
    this.app.show(null);
    this.reply();
  }

  begin(side, wasOn) {
    this.side = side;
    this.wasOn = wasOn;
    this.hints = 0;
    this.app.setAnalysis(false);
    this.element.open = false;
    this.draw();
  }

  draw() {
    this.beside.hidden = !this.side && !this.said.textContent;
    this.beside.querySelector(".row").hidden = !this.side;
    this.app.inMatch(Boolean(this.side));
  }

  /** Ends the game; what is said last stays. */
  stop(said = "") {
    if (!this.side && !this.said.textContent) return;
    const {side} = this;
    this.side = null;
    this.say(said);
    this.draw();
    if (!side) return;
    this.app.setAnalysis(this.wasOn);
    this.app.show(null);
  }

  /** What a reload keeps. */
  state() {
    return this.side && {side: this.side, level: this.level.value, wasOn: this.wasOn};
  }

  recall({side, level, wasOn}) {
    this.level.value = level;
    this.begin(side, wasOn);
  }

  /** The person has moved on the board. */
  async moved(node) {
    if (!this.side) return;
    this.hints = 0;
    this.say("");
    this.app.game.promote(node);
    this.app.changed();
    if (this.tells.checked && !outcome(node)) {
      const told = await this.ask({do: "explain", position: Game.history(node.parent), move: node.uci});
      if (!this.side || this.app.at !== node) return;
      if (told && told.explanation.verdict.toLowerCase() !== "good") this.say(told.explanation.text);
    }
    this.reply();
  }

  /** The board shows this position: the end of the game, or one in which the engine is to move. */
  at(node) {
    if (this.side && !node.children.length && !this.isAsking) this.reply();
  }

  /** The engine's move, if it is its turn. */
  async reply() {
    const {app} = this;
    const node = app.at;
    if (!this.side || this.ended(node) || node.pos.turn === this.side || this.thinking === node) return;
    this.thinking = node;
    const answer = await this.ask({do: "play", position: Game.history(node), elo: Number(this.level.value) || null, milliseconds: 500});
    this.thinking = null;
    if (!answer?.move || !this.side) return;
    if (app.at === node) {
      app.play(parseUci(answer.move), true);
      this.ended(app.at);
    }
  }

  /** Says how the game ended, if it did. */
  ended(node) {
    const over = outcome(node);
    if (!over) return false;
    const {headers} = this.app.game;
    const {side} = this;
    const level = this.level.value ? `Freshet, Elo ${this.level.value}` : "Freshet";
    // The names of a game that was loaded stay.
    const isNamed = ["White", "Black"].some(name => !/^(\?|You$|Freshet)/.test(headers.get(name) ?? "?"));
    if (!isNamed) headers.set("White", side === "white" ? "You" : level).set("Black", side === "white" ? level : "You");
    headers.set("Result", over.result);
    const won = over.result === (side === "white" ? "1-0" : "0-1");
    this.stop(over.result === "1/2-1/2" ? `${over.text}.` : won ? "Checkmate: you won." : "Checkmate: Freshet won.");
    this.app.changed();
    return true;
  }

  async ask(request) {
    this.isAsking = true;
    try {
      return await this.app.once(request);
    } catch (error) {
      this.say(error.message);
      return null;
    } finally {
      this.isAsking = false;
    }
  }

  /** Takes the moves since the person's last turn out of the game. */
  takeBack() {
    const {app} = this;
    let node = app.at;
    let last = null;
    do {
      if (!node.parent) break;
      last = node;
      node = node.parent;
    } while (node.pos.turn !== this.side);
    if (!last || node.pos.turn !== this.side) return;
    app.game.remove(last);
    this.hints = 0;
    this.say("");
    app.changed();
    app.go(node);
  }

  /** More of the best move with each press. */
  async hint() {
    const {app} = this;
    const node = app.at;
    if (node.pos.turn !== this.side || node.pos.isEnd()) return;
    if (!this.hints || this.hinted !== node) {
      const answer = await this.ask({do: "analyse", position: Game.history(node), nodes: 200_000});
      if (!answer?.lines || app.at !== node) return;
      [this.best] = answer.lines[0].moves;
      this.hinted = node;
      this.hints = 0;
    }
    const [from, to] = [this.best.slice(0, 2), this.best.slice(2, 4)];
    this.hints += 1;
    if (this.hints === 1) {
      app.light(new Map([[from, "lit-good"]]));
      this.say("This piece. Press Hint again for the square.");
    } else if (this.hints === 2) {
      app.light(new Map([[from, "lit-good"], [to, "lit-good"]]), [{orig: from, dest: to, brush: "green"}]);
      this.say("Press Hint again for the reason.");
    } else {
      const told = await this.ask({do: "explain", position: Game.history(node), move: this.best});
      if (told && app.at === node) this.say(told.explanation.text);
    }
  }
}
