// A game against the engine: at a level, with a word on bad moves, take back, and hints in three
// steps: which piece, which square, and why.

import {fill, h} from "./dom.js";
import {Game, parseUci} from "./tree.js";

const LEVELS = [800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600];

export class Play {
  constructor(app) {
    this.app = app;
    /** The person's side, while a game is played. */
    this.side = null;
    this.level = h("select", {"aria-label": "Level"}, LEVELS.map(elo => h("option", {value: String(elo), selected: elo === 1400}, `Elo ${elo}`)),
      h("option", {value: ""}, "full strength"));
    this.tells = h("input", {type: "checkbox", checked: true});
    this.row = h("div", {class: "row"});
    this.said = h("p", {class: "hint", "aria-live": "polite"});
    this.element = h("details", {class: "panel"}, h("summary", {}, "Play against Freshet"),
      h("div", {class: "row"}, this.level, h("label", {}, this.tells, " Tell me when a move of mine was bad")), this.row, this.said);
    this.draw();
  }

  draw() {
    const button = (label, onclick) => h("button", {type: "button", onclick}, label);
    fill(this.row, this.side
      ? [button("Hint", () => this.hint()), button("Take back", () => this.takeBack()), button("Stop playing", () => this.stop())]
      : [button("White from here", () => this.start("white")), button("Black from here", () => this.start("black"))]);
  }

  say(text) { this.said.textContent = text; }

  start(side) {
    const {app} = this;
    this.side = side;
    this.hints = 0;
    app.setAnalysis(false);
    if (app.flipped !== (side === "black")) app.flip();
    this.draw();
    this.say("Good luck.");
    this.reply();
  }

  stop() {
    this.side = null;
    this.draw();
    this.say("");
  }

  /** The person has moved on the board. */
  async moved(node) {
    if (!this.side) return;
    this.hints = 0;
    this.say("");
    if (this.tells.checked) {
      const told = await this.ask({do: "explain", position: Game.history(node.parent), move: node.uci});
      if (!this.side || this.app.at !== node) return;
      if (told && told.explanation.verdict.toLowerCase() !== "good") this.say(told.explanation.text);
    }
    this.reply();
  }

  /** The engine's move, if it is its turn. */
  async reply() {
    const {app} = this;
    const node = app.at;
    if (!this.side || node.pos.turn === this.side || node.pos.isEnd()) return;
    const answer = await this.ask({do: "play", position: Game.history(node), elo: Number(this.level.value) || null, milliseconds: 500});
    if (answer?.move && this.side && app.at === node) app.play(parseUci(answer.move), true);
  }

  ask(request) {
    return this.app.once(request).catch(error => {
      this.say(error.message);
      return null;
    });
  }

  /** Goes back to the person's last turn. */
  takeBack() {
    const {app} = this;
    let node = app.at.parent;
    while (node?.parent && node.pos.turn !== this.side) node = node.parent;
    if (node) app.go(node);
    this.hints = 0;
    this.say("");
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
