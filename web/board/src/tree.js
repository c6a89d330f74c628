// The game: a tree of moves with comments and glyphs, read from PGN and written as PGN.

import {Chess, normalizeMove} from "chessops/chess";
import {chessgroundDests} from "chessops/compat";
import {INITIAL_FEN, makeFen, parseFen} from "chessops/fen";
import {makePgn, parsePgn, startingPosition, defaultHeaders} from "chessops/pgn";
import {makeSan, makeSanAndPlay, parseSan} from "chessops/san";
import {makeUci, parseUci} from "chessops/util";

export {INITIAL_FEN, chessgroundDests, makeSan, parseSan, parseUci};

export const GLYPHS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"};

// The commands in comments that programs read: `[%eval 0.34]`, `[%clk 0:01:00]`, `[%freshet 4 80 6]`.
const COMMAND = /\[%\w+[^\]]*\]/g;

/** A comment as people read it. */
export const plain = comment => comment.replace(COMMAND, "").replace(/\s+/g, " ").trim();

/** The position of a FEN or of an EPD line (four fields, then operations); throws an `Error` with one
 * line. */
export function position(fen) {
  const fields = fen.trim().split(/\s+/);
  const isEpd = fields.length > 4 && !/^\d+$/.test(fields[4]);
  return parseFen((isEpd ? fields.slice(0, 4) : fields).join(" ")).unwrap(
    setup => Chess.fromSetup(setup).unwrap(x => x, () => { throw new Error("no legal position"); }),
    () => { throw new Error("not a FEN"); });
}

/** A move with its number: `12.Nf3`, `12…Nf6`, and `Nf6` where White's move stands before it. */
export const withNumber = ({fullmoves, turn}, san, isFirst = true) =>
  turn === "white" ? `${fullmoves}.${san}` : isFirst ? `${fullmoves}…${san}` : san;

/** A legal move as chessops plays it, castling by taking the own rook; `null` if it is not legal. */
export function legal(pos, move) {
  const normal = move && normalizeMove(pos, move);
  return normal && pos.isLegal(normal) ? normal : null;
}

class Node {
  constructor(parent, move, san, pos, data = {}) {
    Object.assign(this, {
      parent, move, san, children: [], glyphs: data.nags ?? [], comments: data.comments ?? [],
      // What is said before the first move of a variation.
      startingComments: data.startingComments ?? [],
    });
    this.uci = move ? castled(makeUci(move), parent.pos) : "";
    this.fen = makeFen(pos.toSetup());
    this.pos = pos;
    this.ply = parent ? parent.ply + 1 : 0;
  }

  get numbered() {
    return withNumber(this.parent.pos, this.san);
  }

  /** The nodes from the first move to this one. */
  get path() {
    return this.parent ? [...this.parent.path, this] : [];
  }

  /** The score that a comment has: `0.34`, `#-3`. */
  get score() {
    for (const comment of this.comments) {
      const found = /\[%eval ([^,\]]+)/.exec(comment);
      if (found) return found[1].trim();
    }
    return null;
  }

  /** The time left on the clock of the side that moved: `0:01:30`. */
  get clock() {
    for (const comment of this.comments) {
      const found = /\[%clk ([\d:.]+)\]/.exec(comment);
      if (found) return found[1];
    }
    return null;
  }

  get text() {
    return this.comments.map(plain).filter(Boolean).join(" ");
  }

  /** The mark of a move of its own: `??`. */
  get glyph() {
    return this.glyphs.map(nag => GLYPHS[nag]).find(Boolean) ?? "";
  }

  get isMain() {
    return !this.parent || (this.parent.children[0] === this && this.parent.isMain);
  }
}

/** Castling as UCI writes it, from e1 to g1: chessops lets the king take the rook, as Chess960 does. */
function castled(uci, pos) {
  if (uci[0] !== "e" || !"ah".includes(uci[2])) return uci;
  const king = pos.board.king;
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const isCastling = pos.board[pos.turn].has(squareOf(to)) && king.has(squareOf(from));
  return isCastling ? from + (to > from ? "g" : "c") + from[1] : uci;
}

const squareOf = name => name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);

export class Game {
  constructor(fen = INITIAL_FEN, headers = new Map()) {
    this.root = new Node(null, null, "", position(fen));
    this.headers = headers;
  }

  /** The first or another game of a PGN text. Moves after an illegal one are left out, and named. */
  static list(pgn) {
    return parsePgn(pgn).filter(game => game.moves.children.length || game.headers.has("FEN"));
  }

  static read(parsed) {
    const start = startingPosition(parsed.headers).unwrap(x => x, () => { throw new Error("the tag FEN is no legal position"); });
    if (start.rules !== "chess") throw new Error(`the variant ${start.rules} is not chess`);
    const game = new Game(makeFen(start.toSetup()), parsed.headers);
    game.root.comments = parsed.comments ?? [];
    game.problems = [];
    const add = (parent, children) => {
      for (const child of children) {
        // Match runners may write moves as UCI does.
        const move = parseSan(parent.pos, child.data.san) ?? legal(parent.pos, parseUci(child.data.san));
        if (!move) {
          game.problems.push(`${withNumber(parent.pos, child.data.san)} is not legal`);
          continue;
        }
        add(game.play(parent, move, child.data), child.children);
      }
    };
    add(game.root, parsed.moves.children);
    // As long as it is not changed, the game is saved with what could not be read.
    if (game.problems.length) game.unread = {pgn: game.pgn(), whole: unchanged(parsed)};
    return game;
  }

  /** The node after a move, which is added if it is new; what is said of it is kept in any case. */
  play(parent, move, data) {
    const pos = parent.pos.clone();
    const san = makeSanAndPlay(pos, move);
    const known = parent.children.find(child => child.san === san);
    if (known) {
      for (const [kept, added] of [["comments", "comments"], ["startingComments", "startingComments"], ["glyphs", "nags"]]) {
        known[kept] = [...new Set([...known[kept], ...(data?.[added] ?? [])])];
      }
      return known;
    }
    const node = new Node(parent, move, san, pos, data);
    parent.children.push(node);
    return node;
  }

  /** The nodes of the game itself, without variations, from the start. */
  get main() {
    const nodes = [this.root];
    for (let node = this.root; node.children.length; nodes.push(node)) node = node.children[0];
    return nodes;
  }

  /** Takes a move and what follows out of the game; the result puts it back. */
  remove(node) {
    const {parent} = node;
    const index = parent.children.indexOf(node);
    parent.children = parent.children.filter(child => child !== node);
    return () => parent.children.splice(index, 0, node);
  }

  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      at.parent.children = [at, ...at.parent.children.filter(child => child !== at)];
    }
  }

  pgn() {
    const copy = node => ({
      data: {san: node.san, nags: node.glyphs, comments: node.comments, startingComments: node.startingComments},
      children: node.children.map(copy),
    });
    const headers = new Map(this.headers.size ? this.headers : defaultHeaders());
    if (this.root.fen !== INITIAL_FEN) headers.set("FEN", this.root.fen).set("SetUp", "1");
    const moves = {children: this.root.children.map(copy)};
    const pgn = makePgn({headers, comments: this.root.comments, moves});
    return pgn === this.unread?.pgn ? this.unread.whole : pgn;
  }

  /** A position with its history, as the engine reads it. */
  static history(node) {
    const path = node.path;
    const root = path.length ? path[0].parent : node;
    return root.fen + (path.length ? ` moves ${path.map(at => at.uci).join(" ")}` : "");
  }
}

/** How the game is over at a node: its result and a word for it; `null` if it goes on. */
export function outcome(node) {
  const {pos} = node;
  if (pos.isCheckmate()) return pos.turn === "white" ? {result: "0-1", text: "Checkmate: Black wins"} : {result: "1-0", text: "Checkmate: White wins"};
  const drawn = text => ({result: "1/2-1/2", text});
  if (pos.isStalemate()) return drawn("Stalemate: a draw");
  if (pos.isInsufficientMaterial()) return drawn("A draw: too little material");
  if (pos.halfmoves >= 100) return drawn("A draw: fifty moves without a capture or a pawn move");
  const place = other => other.fen.split(" ").slice(0, 4).join(" ");
  const nodes = node.parent ? [node.path[0].parent, ...node.path] : [node];
  if (nodes.filter(other => place(other) === place(node)).length >= 3) return drawn("A draw: the position has occurred three times");
  return null;
}

/** The PGN of a game that was parsed and not changed. */
export const unchanged = parsed => makePgn(parsed);

/** The board and the side to move, as in a FEN, of a position with its history. */
export function place(history) {
  const [fen, moves] = history.split(" moves ");
  const pos = position(fen === "startpos" ? INITIAL_FEN : fen);
  for (const uci of moves?.split(" ") ?? []) pos.play(normalizeMove(pos, parseUci(uci)));
  return makeFen(pos.toSetup()).split(" ").slice(0, 2).join(" ");
}

/** White's expected result of a score, between 0 and 1, as lichess.org draws it; `null` if it is no score. */
export function expected(score) {
  if (score.startsWith("#")) return score.startsWith("#-") ? 0 : 1;
  const cp = 100 * Math.max(-10, Math.min(10, Number(score)));
  return Number.isFinite(cp) ? 1 / (1 + Math.exp(-0.00368208 * cp)) : null;
}
