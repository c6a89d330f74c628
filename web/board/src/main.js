// The analysis board: the game, what the engine says of it, and why.

import {Chessground} from "chessground";
import "chessground/assets/chessground.base.css";
import "chessground/assets/chessground.cburnett.css";
import "./app.css";
import {fill, h, save, textOf} from "./dom.js";
import {engine as findEngine} from "./engine.js";
import {graph} from "./graph.js";
import {Play} from "./play.js";
import {Reasons} from "./reasons.js";
import {Game, INITIAL_FEN, chessgroundDests, expected, legal, outcome, parseSan, parseUci, plain, unchanged, withNumber} from "./tree.js";
import {termsPanel, fillsPanel} from "./terms.js";

const STORE = "freshet-board";
// Moves of a line of the analysis that are shown.
const LINE = 12;
// Games of a file, at most, that a reload keeps and that a page of one file takes.
const MOST_KEPT = 100;
const MARKS = {"?!": "inaccuracy", "?": "mistake", "??": "blunder", "!": "good", "!!": "good", "!?": "good"};

class App {
  constructor(engine) {
    this.engine = engine;
    this.game = new Game();
    this.at = this.game.root;
    this.isOn = engine.can("analyse");
    /** The games of a file: as parsed and, once chosen, as the game on the board. */
    this.list = [];
    this.number = 0;
    /** What was on the board before something else was loaded. */
    this.replaced = null;
    this.lineCount = 3;
    this.flipped = false;
    this.running = null;
    // Requests besides the analysis that are not answered yet, and the last of them.
    this.waiting = 0;
    this.queue = Promise.resolve();
    // Squares and arrows that a panel shows for now.
    this.lit = {squares: new Map(), shapes: []};
    // A position shown instead of the game's: a step of a line.
    this.preview = null;
    this.build();
  }

  // ---- What is on the page

  build() {
    const button = (label, title, onclick, extra = {}) =>
      // Words are a name of their own.
      h("button", {type: "button", title, "aria-label": label.length === 1 ? title : null, onclick, ...extra}, label);
    this.map = this.lit;
    this.el = {
      board: h("div", {class: "board"}),
      bar: h("div", {class: "bar", role: "img", "aria-label": "Winning chances"}, h("div", {class: "white-part"})),
      said: h("div", {class: "sr", "aria-live": "polite"}),
      moves: h("div", {class: "moves", role: "navigation", "aria-label": "Moves"}),
      lines: h("ol", {class: "lines"}),
      speed: h("span", {class: "speed"}),
      graph: h("div", {class: "graph"}),
      problem: h("p", {class: "problem", role: "alert", hidden: true}),
      notice: h("p", {class: "notice", hidden: true}),
      whole: h("div", {class: "whole"}),
      players: {top: h("div", {class: "player"}), bottom: h("div", {class: "player"})},
      leave: h("button", {type: "button", class: "leave", hidden: true, onclick: () => { this.reasons.clearSteps(); this.show(null); }}, "Back to the game"),
      promotion: h("dialog", {class: "promotion", "aria-label": "Promote to", onclose: () => this.show(null)}),
      switch: h("input", {type: "checkbox", checked: this.isOn, onchange: event => {
        this.turn(event.target.checked);
        event.target.blur();
      }}),
      count: h("select", {"aria-label": "Number of lines", onchange: event => {
        this.lineCount = Number(event.target.value);
        event.target.blur();
        this.analyse();
      }}, [1, 2, 3, 4, 5].map(n => h("option", {value: String(n), selected: n === 3}, String(n)))),
      typed: h("input", {type: "text", class: "typed", placeholder: "Move, e.g. Nf3", "aria-label": "Type a move", autocomplete: "off", spellcheck: "false",
        onkeydown: event => { if (event.key === "Enter") this.typed(event.target); }}),
    };
    this.reasons = new Reasons(this);
    this.match = new Play(this);
    const {engine} = this;
    const needs = kind => ({hidden: !engine.can(kind)});
    this.rows = [];
    this.el.games = h("select", {"aria-label": "Game", hidden: true, onchange: event => {
      this.choose(Number(event.target.value));
      event.target.blur();
    }});
    this.el.saveAll = button("Save all games", "Download all games of the file", () => save("games.pgn", this.all(), "application/x-chess-pgn"), {hidden: true});
    this.el.keys = h("dialog", {class: "keys", "aria-label": "Keys"}, h("table", {}, h("tbody", {}, [["← →, wheel", "back and forward"], ["Home, End", "first and last position"],
      ["f", "flip the board"], ["space", "play the best move"], ["e", "explain the move"], ["t, x", "what is threatened"], ["l", "analysis on and off"], ["Esc", "clear the board of marks"]]
      .map(([key, does]) => h("tr", {}, h("th", {scope: "row"}, key), h("td", {}, does))))), h("form", {method: "dialog"}, h("button", {}, "Close")));
    this.el.terms = termsPanel(this);
    this.el.fills = fillsPanel(this);
    this.el.advice = [
      [button("Best move", "Play the best move (space)", () => this.best(), needs("analyse")), "analyse"],
      [button("Explain", "Explain this move (e)", () => this.reasons.explain(), {...needs("explain"), class: "primary"}), "explain"],
      [button("Threat?", "What is threatened (t)", () => this.reasons.threat(), needs("threat")), "threat"],
    ];
    const controls = h("div", {class: "controls"},
      button("«", "First position (Home)", () => this.go(this.game.root)),
      button("‹", "Back (←)", () => this.back()),
      button("›", "Forward (→)", () => this.forward()),
      button("»", "Last position (End)", () => this.go(this.game.main.at(-1))),
      button("Flip", "Flip the board (f)", () => this.flip()), this.el.advice.map(([button]) => button));
    const file = h("input", {type: "file", accept: ".pgn,.fen,.epd,.txt", hidden: true, onchange: async event => {
      const [chosen] = event.target.files;
      if (chosen) this.load(await textOf(chosen));
      event.target.value = "";
    }});
    const paste = h("textarea", {rows: "3", placeholder: "Paste a PGN or a FEN", "aria-label": "PGN or FEN", spellcheck: "false"});
    const open = h("details", {class: "panel"}, h("summary", {}, "Open, copy, save"),
      paste,
      h("div", {class: "row"},
        button("Load", "Load what is pasted", () => { if (paste.value.trim() && this.load(paste.value)) paste.value = ""; }),
        button("File…", "Open a file", () => file.click()),
        button("New", "The start position", () => this.load(INITIAL_FEN)),
        button("Copy FEN", "Copy the position", event => this.copy(this.at.fen, event)),
        button("Copy PGN", "Copy the game", event => this.copy(this.game.pgn(), event)),
        button("Save PGN", "Download the game", () => save("game.pgn", this.game.pgn(), "application/x-chess-pgn")),
        this.el.saveAll,
        engine.can("page") && button("Save page", "Download the game as a page that needs no engine", () => this.savePage())),
      file);
    fill(document.getElementById("app"),
      h("header", {}, h("h1", {}, "Freshet"), h("span", {class: "engine"}, engine.info.engine)),
      h("main", {},
        h("section", {class: "left", "aria-label": "Board"},
          this.el.players.top,
          h("div", {class: "frame"}, this.el.bar, h("div", {class: "holder"}, this.el.board, this.el.leave)),
          this.el.players.bottom,
          controls, this.el.graph),
        h("section", {class: "right", "aria-label": "Analysis"},
          this.el.problem, this.el.notice,
          this.match.beside, this.reasons.element,
          this.el.analysis = h("div", {class: "panel", ...needs("analyse")},
            h("div", {class: "row head"},
              engine.isLive ? h("label", {class: "switch"}, this.el.switch, " Analysis") : h("strong", {}, "Best lines"),
              this.el.speed, engine.isLive && h("label", {}, "Lines ", this.el.count)),
            this.el.lines),
          h("div", {class: "panel"}, this.el.games, this.el.moves, h("div", {class: "row"}, this.el.typed,
            button("Delete", "Delete this move and what follows", () => this.remove()),
            button("Main line", "Make this the main line", () => { this.game.promote(this.at); this.changed(); }))),
          this.el.annotate = h("div", {class: "panel", ...needs("annotate")}, this.el.whole),
          engine.can("play") && this.match.element,
          open,
          this.el.terms, engine.can("fills") && this.el.fills)),
      this.el.said, this.el.promotion, this.el.keys);
    this.cg = Chessground(this.el.board, {
      animation: {duration: 150}, premovable: {enabled: false}, movable: {free: false, rookCastle: true,
        events: {after: (from, to) => this.moved(from, to)}},
      draggable: {showGhost: true}, drawable: {enabled: true}, highlight: {lastMove: true, check: true},
    });
    this.whole();
    addEventListener("keydown", event => this.key(event));
    // Text that is dragged within the page is no new game.
    let isOwn = false;
    addEventListener("dragstart", () => { isOwn = true; });
    addEventListener("dragend", () => { isOwn = false; });
    addEventListener("dragover", event => { if (!isOwn) event.preventDefault(); });
    addEventListener("drop", async event => {
      if (isOwn) return;
      event.preventDefault();
      const [chosen] = event.dataTransfer.files;
      this.load(chosen ? await textOf(chosen) : event.dataTransfer.getData("text"));
    });
    addEventListener("hashchange", () => this.fromAddress());
    addEventListener("pagehide", () => this.store());
    // A page that nobody sees needs no analysis.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.endAnalysis(); else this.analyse();
    });
    addEventListener("resize", () => this.cg.redrawAll());
    // The wheel over the board steps through the game.
    let turned = 0;
    this.el.board.addEventListener("wheel", event => {
      if (event.ctrlKey) return;
      event.preventDefault();
      turned += event.deltaY;
      if (Math.abs(turned) < 40) return;
      if (turned > 0) this.forward(); else this.back();
      turned = 0;
    }, {passive: false});
  }

  key(event) {
    if (event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    // In a match the engine gives no advice but hints.
    if (this.match.side && [" ", "e", "t", "x", "l"].includes(event.key)) return;
    const does = {
      ArrowLeft: () => this.back(), ArrowRight: () => this.forward(), Home: () => this.go(this.game.root),
      End: () => this.go(this.game.main.at(-1)),
      f: () => this.flip(), " ": () => this.best(), e: () => this.reasons.explain(), t: () => this.reasons.threat(), x: () => this.reasons.threat(),
      l: () => this.engine.isLive && this.setAnalysis(!this.isOn),
      Escape: () => { this.reasons.left(); this.map = {squares: new Map(), shapes: []}; this.light(); this.show(null); },
      "?": () => this.el.keys.showModal(),
    }[event.key];
    // Space on a button presses it.
    if (!does || (event.key === " " && event.target.closest("button, summary"))) return;
    if (["ArrowLeft", "ArrowRight", "Home", "End", " "].includes(event.key)) event.preventDefault();
    does();
  }

  // ---- The game

  /** Loads a PGN or a FEN; false if it is neither. */
  load(text) {
    this.problem("");
    const before = {game: this.game, at: this.at, list: this.list, number: this.number};
    try {
      const trimmed = text.trim().replace(/^(fen:|position fen)\s*/i, "");
      if (/^([1-8pnbrqkPNBRQK]+\/){7}/.test(trimmed)) {
        this.game = new Game(trimmed.split("\n")[0]);
        this.list = [];
      } else {
        const list = Game.list(text);
        if (!list.length) throw new Error("neither a PGN with moves nor a FEN");
        const game = Game.read(list[0]);
        if (game.problems.length && !game.root.children.length) throw new Error(`${game.problems[0]}, so this is no game`);
        this.game = game;
        this.list = list.map(parsed => ({parsed}));
        this.list[0].game = this.game;
        this.leftOut();
      }
    } catch (error) {
      this.problem(`This cannot be loaded: ${error.message}.`);
      return false;
    }
    this.number = 0;
    this.replaced = before.game.root.children.length ? before : null;
    this.notice(this.replaced && "The previous game was replaced.", "Restore it", () => this.putBack());
    this.listGames();
    this.begin();
    return true;
  }

  /** Names what could not be read of the game. */
  leftOut() {
    const {problems = []} = this.game;
    const more = problems.length > 1 ? ` and ${problems.length - 1} more` : "";
    this.problem(problems.length ? `Left out: ${problems[0]}${more}.` : "");
  }

  /** Hides what a game has no use for while it is played. */
  inMatch(isPlaying) {
    this.reasons.element.hidden = isPlaying;
    this.el.analysis.hidden = isPlaying || !this.engine.can("analyse");
    this.el.annotate.hidden = isPlaying || !this.engine.can("annotate");
    for (const [button, kind] of this.el.advice) button.hidden = isPlaying || !this.engine.can(kind);
    this.drawBar();
  }

  /** Shows again what was replaced. */
  putBack() {
    const {at, ...before} = this.replaced;
    Object.assign(this, before);
    this.replaced = null;
    this.notice("");
    this.problem("");
    this.listGames();
    this.begin();
    this.go(at);
  }

  /** A word with a button, or nothing. */
  notice(text, label, onclick) {
    this.el.notice.hidden = !text;
    fill(this.el.notice, text && [`${text} `, h("button", {type: "button", onclick}, label)]);
  }

  /** The games of the file as a choice. */
  listGames() {
    const several = this.list.length > 1;
    this.el.games.hidden = !several;
    this.el.saveAll.hidden = !several;
    fill(this.el.games, several && this.list.map(({parsed: {headers}}, index) => h("option", {value: String(index), selected: index === this.number},
      `${index + 1}. ${headers.get("White") ?? "?"} – ${headers.get("Black") ?? "?"}`)));
  }

  /** All games of the file as PGN, with what was added to them. */
  all() {
    if (!this.list.length) return this.game.pgn();
    return this.list.map(entry => entry.game?.pgn() ?? (entry.text ??= unchanged(entry.parsed))).join("\n");
  }

  /** What a reload keeps: all games of the file, if they are not many. */
  kept() {
    return this.list.length <= MOST_KEPT ? {pgn: this.all(), number: this.number} : {pgn: this.game.pgn(), number: 0};
  }

  /** Shows the game from its start. */
  begin() {
    this.match.stop();
    if (!this.replaced) this.notice("");
    this.at = this.game.root;
    this.whole();
    this.changed();
    this.go(this.game.root);
  }

  problem(text) {
    this.el.problem.textContent = text;
    this.el.problem.hidden = !text;
  }

  moved(from, to) {
    const piece = this.at.pos.board.get(parseUci(from + to).from);
    const isLast = to[1] === "8" || to[1] === "1";
    if (piece?.role === "pawn" && isLast) return this.promote(from, to, piece.color);
    this.play(parseUci(from + to));
  }

  promote(from, to, color) {
    const choose = role => {
      this.el.promotion.close();
      if (role) this.play(parseUci(from + to + role));
    };
    const names = {q: "queen", r: "rook", b: "bishop", n: "knight"};
    fill(this.el.promotion, Object.entries(names).map(([letter, name]) =>
      h("button", {type: "button", class: "choice cg-wrap", "aria-label": name, onclick: () => choose(letter)},
        h("piece", {class: `${name} ${color}`}))),
      h("button", {type: "button", onclick: () => choose(null)}, "Cancel"));
    this.el.promotion.showModal();
  }

  play(move, isReply = false) {
    const chosen = legal(this.at.pos, move);
    if (!chosen) return this.show(null);
    const node = this.game.play(this.at, chosen);
    this.notice("");
    this.changed();
    this.go(node, true);
    if (!isReply) this.match.moved(node);
  }

  typed(input) {
    const text = input.value.trim();
    const {pos} = this.at;
    if (this.match.side && pos.turn !== this.match.side) return this.problem("It is Freshet's move.");
    // Also `nf3`, `0-0` and `a8` for a queen.
    const texts = [text, text.replace(/^[nbrqk]/, letter => letter.toUpperCase()), text.replace(/0/g, "O").toUpperCase(), `${text}=Q`];
    const move = legal(pos, texts.map(text => parseSan(pos, text)).find(Boolean) ?? parseUci(text));
    if (move) {
      this.problem("");
      input.value = "";
      input.removeAttribute("aria-invalid");
      this.play(move);
    } else {
      input.setAttribute("aria-invalid", "true");
      this.problem(`${text} is not legal here.`);
    }
  }

  remove() {
    if (!this.at.parent) return;
    const {at} = this;
    const putBack = this.game.remove(at);
    this.changed();
    this.go(at.parent);
    this.notice(`Deleted ${at.numbered} and what follows.`, "Undo", () => {
      putBack();
      this.notice("");
      this.changed();
      this.go(at);
    });
  }

  back() { if (this.at.parent) this.go(this.at.parent); }
  forward() { if (this.at.children.length) this.go(this.at.children[0]); }

  best() {
    const [line] = this.latest?.node === this.at ? this.latest.lines : [];
    if (line) this.play(parseUci(line.moves[0]));
    else if (!this.engine.isLive) this.problem("This page has no engine: it does not know the best move here.");
    else if (!this.isOn) this.problem("Turn the analysis on first: it finds the best move.");
  }

  flip() {
    this.flipped = !this.flipped;
    this.cg.set({orientation: this.flipped ? "black" : "white"});
    this.names();
    this.drawBar();
  }

  /** Goes to a position of the game; `isPlayed`: by a move that was played just now. */
  go(node, isPlayed = false) {
    this.at = node;
    this.lit = this.map = {squares: new Map(), shapes: []};
    if (!this.isOn || !this.engine.isLive) this.el.speed.textContent = "";
    this.reasons.left();
    this.show(null);
    this.markMoves();
    this.drawBar();
    this.names();
    graph.mark(this.el.graph, this.game, node);
    this.say(node.parent ? node.numbered : "Start of the game");
    this.remember();
    this.analyse();
    document.dispatchEvent(new CustomEvent("position"));
    if (!isPlayed) this.match.at(node);
  }

  say(text) { this.el.said.textContent = text; }

  /** The tree has changed. */
  changed() {
    this.drawMoves();
    this.drawGraph();
    this.names();
    this.remember();
  }

  /** Shows the position of the game, or a step of a line: `{fen, last, squares}`. */
  show(preview) {
    this.preview = preview;
    this.el.leave.hidden = !preview;
    const {at} = this;
    const turn = at.pos.turn;
    const squares = preview?.squares ?? this.lit.squares;
    this.el.board.classList.toggle("is-preview", Boolean(preview));
    this.cg.set({
      fen: preview?.fen ?? at.fen,
      turnColor: preview?.turn ?? turn,
      lastMove: preview ? preview.last : at.uci ? [at.uci.slice(0, 2), at.uci.slice(2, 4)] : undefined,
      check: preview ? preview.isCheck : at.pos.isCheck(),
      // In a game only one's own pieces move.
      movable: preview ? {color: undefined, dests: new Map()} : {color: this.match.side ?? turn, dests: chessgroundDests(at.pos)},
      highlight: {lastMove: true, check: true, custom: squares},
    });
    this.arrows();
  }

  /** Lights squares up: a map of squares to classes of the style sheet, such as `lit-white`. Without
   * arguments, the map that is chosen shows again, if there is one. */
  light(squares, shapes = []) {
    this.lit = squares ? {squares, shapes} : this.map;
    if (!this.preview) this.show(null);
  }

  arrows() {
    const shapes = [...this.lit.shapes];
    if (this.preview) return this.cg.setAutoShapes(this.preview.shapes ?? []);
    if (this.isOn && this.latest?.node === this.at && !shapes.length) {
      this.latest.lines.forEach((line, index) => {
        const [m] = line.moves;
        shapes.push({orig: m.slice(0, 2), dest: m.slice(2, 4), brush: index ? "paleBlue" : "blue", modifiers: {lineWidth: index ? 5 : 10}});
      });
    }
    this.cg.setAutoShapes(shapes);
  }

  // ---- The engine

  setAnalysis(isOn) {
    this.el.switch.checked = isOn;
    this.turn(isOn);
  }

  turn(isOn) {
    this.isOn = isOn;
    if (isOn) this.analyse(); else this.endAnalysis();
    this.arrows();
  }

  /** Stops the analysis, and nothing else that the engine may be doing. */
  endAnalysis() {
    const isRunning = Boolean(this.running);
    this.interrupt();
    if (isRunning) this.engine.stop();
  }

  /** Ends what the page is hearing. */
  interrupt() {
    this.running?.abort();
    this.running = null;
    clearTimeout(this.timer);
  }

  /** Begins the analysis of the position on the board, a moment later. */
  analyse() {
    this.interrupt();
    this.showLines(this.latest?.node === this.at ? this.latest.lines : []);
    if (!this.isOn || this.waiting || document.hidden) return;
    if (this.at.pos.isEnd()) {
      this.engine.stop();
      this.el.speed.textContent = outcome(this.at).text;
      return;
    }
    this.timer = setTimeout(() => this.listen(this.at), 120);
  }

  async listen(node) {
    const running = new AbortController();
    this.running = running;
    const request = {do: "analyse", position: Game.history(node), lines: this.lineCount};
    try {
      for await (const answer of this.engine.ask(request, running.signal)) {
        if (running.signal.aborted) return;
        if (answer.type === "lines") this.heard(node, answer);
        if (answer.type === "over") {
          this.over = node;
          this.el.speed.textContent = `Draw: ${answer.text}`;
          this.drawBar();
        }
        if (answer.type === "error") this.problem(answer.text);
      }
    } catch (error) {
      if (!running.signal.aborted) this.lost(error);
    }
  }

  lost(error) {
    this.el.speed.textContent = "no engine";
    this.problem(`The engine does not answer (${error.message}). Is the program still running?`);
  }

  /** Asks for one thing after the other and returns its answer; the analysis waits. */
  once(request, hear = () => {}, asking = new AbortController()) {
    if (this.isAnnotating) return Promise.reject(new Error("The game is being annotated: wait, or cancel it."));
    this.interrupt();
    this.waiting += 1;
    const asked = this.queue.then(() => this.answer(request, hear, asking)).finally(() => {
      this.waiting -= 1;
      if (!this.waiting) this.analyse();
    });
    this.queue = asked.catch(() => {});
    return asked;
  }

  async answer(request, hear, asking) {
    asking.signal.throwIfAborted();
    let result = null;
    for await (const answer of this.engine.ask(request, asking.signal)) {
      if (answer.type === "error") throw new Error(answer.text);
      if (answer.type === "done") return result;
      hear(answer);
      result = answer;
    }
    throw new Error("the engine has given no answer");
  }

  heard(node, answer) {
    this.latest = {node, lines: answer.lines};
    const speed = answer.milliseconds > 50 ? ` · ${Math.round(answer.nodes / answer.milliseconds)} kN/s` : "";
    this.el.speed.textContent = `depth ${answer.depth}${speed}`;
    this.showLines(answer.lines);
    this.drawBar();
    this.arrows();
  }

  /** The lines of the position on the board. */
  showLines(lines) {
    while (this.rows.length < lines.length) {
      const row = this.lineRow();
      this.rows.push(row);
      this.el.lines.append(row.element);
    }
    this.rows.forEach((row, index) => row.show(lines[index], this.at));
  }

  /** A row for a line of the analysis. It stays while its words change, so that clicks and the focus
   * are not lost. */
  lineRow() {
    let line = null, node = null;
    const score = h("button", {type: "button", class: "score", onclick: () => this.reasons.why(node, line.moves[0])});
    const moves = Array.from({length: LINE}, (_, index) => h("button", {type: "button", class: "san", tabindex: index ? "-1" : "0",
      onclick: () => {
        const played = line.moves.slice(0, index + 1);
        if (this.at === node) played.forEach(m => this.play(parseUci(m)));
      }}));
    const step = event => {
      const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const next = moves[moves.indexOf(event.target) + by];
      if (next && !next.hidden) next.focus();
    };
    const element = h("li", {}, score, h("span", {class: "pv", onkeydown: step}, moves));
    const write = (button, text) => { if (button.textContent !== text) button.textContent = text; };
    const show = (now, at) => {
      element.hidden = !now;
      if (!now) return;
      [line, node] = [now, at];
      write(score, line.score);
      score.title = `Why ${line.sans[0]}?`;
      score.setAttribute("aria-label", `Why ${line.sans[0]}? ${line.score}`);
      const sans = numbered(node.pos, line.sans.slice(0, LINE));
      moves.forEach((button, index) => {
        button.hidden = index >= sans.length;
        if (sans[index]) write(button, sans[index]);
      });
    };
    return {element, show};
  }

  // ---- Drawing

  /** White's chances, from the running analysis or from the game's comments. */
  drawBar() {
    const live = this.latest?.node === this.at ? expected(this.latest.lines[0].score) : null;
    const isDrawn = this.at.pos.isEnd() && !this.at.pos.isCheckmate();
    const own = live ?? (isDrawn ? 0.5 : graph.value(this.at)) ?? (this.over === this.at ? 0.5 : null);
    // The first answer comes in a moment.
    const isKnown = !this.match.side && (own !== null || this.isOn && this.engine.isLive);
    this.el.bar.classList.toggle("unknown", !isKnown);
    const value = own ?? this.shownValue ?? 0.5;
    this.shownValue = value;
    const percent = Math.round(100 * value);
    this.el.bar.firstElementChild.style.height = `${percent}%`;
    this.el.bar.classList.toggle("flipped", this.flipped);
    this.el.bar.setAttribute("aria-label", isKnown ? `White's chances: ${percent} percent` : "White's chances are not known");
  }

  drawGraph() {
    graph.draw(this.el.graph, this.game, node => this.go(node));
    graph.mark(this.el.graph, this.game, this.at);
  }

  names() {
    const {headers} = this.game;
    const name = side => {
      const text = headers.get(side) ?? "";
      const rating = headers.get(`${side}Elo`);
      const accuracy = headers.get(`${side}Accuracy`);
      const parts = [text && !text.startsWith("?") ? text : side];
      if (rating) parts.push(`(${rating})`);
      if (accuracy) parts.push(`· accuracy ${accuracy} %`);
      const mover = side === "White" ? "black" : "white";
      const clock = this.at.path.findLast(node => node.pos.turn === mover && node.clock)?.clock;
      if (clock) parts.push(`· ${clock}`);
      const counts = ["?!", "?", "??"].map(glyph => [glyph, this.game.main.slice(1).filter(node =>
        (node.parent.pos.turn === "white") === (side === "White") && node.glyph === glyph).length]);
      const bad = counts.filter(([, count]) => count).map(([glyph, count]) => `${count} × ${glyph}`);
      if (bad.length) parts.push(`· ${bad.join(", ")}`);
      return parts.join(" ");
    };
    const [top, bottom] = this.flipped ? ["White", "Black"] : ["Black", "White"];
    this.el.players.top.textContent = name(top);
    this.el.players.bottom.textContent = name(bottom);
  }

  drawMoves() {
    this.buttons = new Map();
    const move = node => {
      const button = h("button", {type: "button", class: `move ${MARKS[node.glyph] ?? ""}`, onclick: () => this.go(node)},
        `${node.san}${node.glyph}`);
      this.buttons.set(node, button);
      return button;
    };
    const comment = text => text && h("span", {class: "comment"}, text);
    const number = ({fullmoves, turn}, isFirst) => h("span", {class: "number"}, turn === "white" ? `${fullmoves}. ` : isFirst ? `${fullmoves}… ` : "");
    /** A variation, as running text. */
    const line = from => {
      const parts = [comment(from.startingComments.map(plain).join(" "))];
      let isFirst = true;
      for (let node = from; node; node = node.children[0]) {
        parts.push(number(node.parent.pos, isFirst), move(node), comment(node.text));
        isFirst = Boolean(node.text);
        const others = node === from ? [] : node.parent.children.slice(1);
        parts.push(others.map(other => h("span", {class: "variation"}, line(other))));
        isFirst ||= others.length > 0;
      }
      return parts;
    };
    /** The game, in two columns; comments and variations between them. */
    const columns = from => {
      const cells = [];
      let isFirst = true;
      for (let node = from; node; node = node.children[0]) {
        const isWhite = node.parent.pos.turn === "white";
        if (isWhite || isFirst) cells.push(h("span", {class: "number"}, `${node.parent.pos.fullmoves}`));
        if (!isWhite && isFirst) cells.push(h("span", {class: "gap"}, "…"));
        cells.push(move(node));
        const between = [comment(node.text), node.parent.children.slice(1).map(other => h("span", {class: "variation"}, line(other)))].flat().filter(Boolean);
        isFirst = between.length > 0;
        if (!isFirst) continue;
        if (isWhite) cells.push(h("span", {class: "gap"}, node.children.length ? "…" : ""));
        cells.push(h("div", {class: "between"}, between));
      }
      return h("div", {class: "columns"}, cells);
    };
    const {headers, root} = this.game;
    const info = ["Event", "Date", "Opening", "Result"].map(name => headers.get(name)?.replaceAll(".??", "")).filter(text => text && !/^[?*]/.test(text));
    const start = h("button", {type: "button", class: "move", onclick: () => this.go(root)}, "Start");
    this.buttons.set(root, start);
    const empty = !root.children.length && h("span", {class: "comment"}, " Play a move on the board, or open a game below.");
    fill(this.el.moves, info.length ? h("p", {class: "info"}, info.join(" · ")) : null, root.text && h("p", {class: "comment"}, root.text),
      start, empty, root.children.length ? columns(root.children[0]) : null);
    this.markMoves();
  }

  /** Another game of the file. */
  choose(number) {
    const entry = this.list[number];
    try {
      entry.game ??= Game.read(entry.parsed);
    } catch (error) {
      this.listGames();
      return this.problem(`This game cannot be shown: ${error.message}.`);
    }
    this.number = number;
    this.game = entry.game;
    this.leftOut();
    this.begin();
  }

  markMoves() {
    this.el.moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = this.buttons?.get(this.at);
    if (!button) return;
    button.setAttribute("aria-current", "true");
    const box = this.el.moves;
    const top = button.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 30) box.scrollTop = top - box.clientHeight / 2;
  }

  // ---- The whole game

  whole() {
    if (this.isAnnotating) return;
    const button = h("button", {type: "button", class: "primary", onclick: () => this.annotate()}, "Annotate the game");
    fill(this.el.whole, h("div", {class: "row"}, button, h("span", {}, "Marks, reasons, better lines and a summary")));
  }

  async annotate() {
    const began = performance.now();
    const bar = h("progress", {max: "1", value: "0", "aria-label": "Progress"});
    const left = h("span", {}, "…");
    const {game} = this;
    const before = game.pgn();
    const cancelled = new AbortController();
    const cancel = h("button", {type: "button", onclick: () => { this.engine.stop(); cancelled.abort(); }}, "Cancel");
    fill(this.el.whole, h("div", {class: "row"}, bar, left, cancel));
    try {
      const asked = this.once({do: "annotate", pgn: before}, ({type, done, of}) => {
        if (type !== "progress" || !of) return;
        bar.max = of;
        bar.value = done;
        const seconds = (performance.now() - began) / 1000 * (of - done) / Math.max(1, done);
        left.textContent = done ? `${done} of ${of}, ${Math.ceil(seconds)} s left` : `${of} positions`;
      }, cancelled);
      this.isAnnotating = true;
      const answer = await asked.finally(() => {
        this.isAnnotating = false;
        document.dispatchEvent(new CustomEvent("position"));
      });
      if (answer?.type === "annotated") {
        const [parsed] = Game.list(answer.pgn);
        // What has been played meanwhile, or another game, is not thrown away.
        if (!parsed || this.game !== game || game.pgn() !== before) {
          this.problem("The game changed while it was being annotated; the annotations were discarded.");
        } else {
          const {ply} = this.at;
          this.notice("");
          this.game = Game.read(parsed);
          if (this.list.length) this.list[this.number] = {parsed, game: this.game};
          this.changed();
          this.go(this.game.main[Math.min(ply, this.game.main.length - 1)]);
        }
      }
    } catch (error) {
      if (error.name !== "AbortError" && !cancelled.signal.aborted) this.problem(`The annotation ended: ${error.message}.`);
    }
    this.whole();
  }

  /** The page as one file, without an engine: the games with their comments. */
  async savePage() {
    try {
      const {html} = await this.once({do: "page", pgn: this.kept().pgn});
      save("game.html", html, "text/html");
    } catch (error) {
      if (error.name !== "AbortError") this.problem(error.message);
    }
  }

  async copy(text, event) {
    try {
      await navigator.clipboard.writeText(text);
      this.say("Copied");
      const {target} = event;
      const label = target.textContent;
      target.textContent = "Copied";
      setTimeout(() => { target.textContent = label; }, 1500);
    } catch {
      this.problem("The browser does not allow copying here.");
    }
  }

  // ---- What a reload keeps

  remember() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.store(), 300);
  }

  /** Writes down where we are: in the address, and for a reload. Browsers allow that only so often. */
  store() {
    if (this.at.isMain) history.replaceState(null, "", `#${this.at.ply}`);
    if (!this.engine.isLive) return;
    try {
      const path = this.at.path.map(node => node.parent.children.indexOf(node));
      sessionStorage.setItem(STORE, JSON.stringify({...this.kept(), path, flipped: this.flipped, match: this.match.state()}));
    } catch {
      // There is no room for the game: a reload shall not bring back an older one.
      try { sessionStorage.removeItem(STORE); } catch { /* No storage at all. */ }
    }
  }

  recall() {
    try {
      const {pgn, number, path, flipped, match} = JSON.parse(sessionStorage.getItem(STORE));
      const list = Game.list(pgn);
      if (!list[number]) return false;
      this.list = list.map(parsed => ({parsed}));
      this.number = number;
      this.listGames();
      this.choose(number);
      if (flipped) this.flip();
      let node = this.game.root;
      for (const index of path) node = node.children[index] ?? node;
      if (match) this.match.recall(match);
      this.go(node);
      return true;
    } catch {
      return false;
    }
  }

  fromAddress() {
    const ply = Number(location.hash.slice(1));
    if (Number.isInteger(ply) && this.game.main[ply] && this.game.main[ply] !== this.at) this.go(this.game.main[ply]);
  }
}

/** SAN moves with numbers from a position on. */
function numbered(pos, sans) {
  let {fullmoves, turn} = pos;
  return sans.map((san, index) => {
    const text = withNumber({fullmoves, turn}, san, index === 0);
    if (turn === "black") fullmoves++;
    turn = turn === "white" ? "black" : "white";
    return text;
  });
}

const engine = await findEngine();
const app = new App(engine);
globalThis.freshet = app;
const {start} = engine.info;
const hash = Number(location.hash.slice(1));
if (!engine.isLive || !app.recall()) {
  app.load(start.pgn ?? start.fen ?? INITIAL_FEN);
  if (app.game.main[hash]) app.go(app.game.main[hash]);
}
// A page about one position begins with its best move and the reason.
if (!engine.isLive && start.fen) {
  await app.listen(app.at);
  await app.reasons.explain();
  await app.el.fills.showWall();
}
