import type { Point } from '../../domain/location.ts';
import type { Breaker } from './engines/breaker.ts';
import { type Engine, EngineFailed, type Wish } from './engines/provider.ts';
import { blocksOf, type Gap, type Grid, putBlock, putCell } from './grid.ts';

/** Questions under way at once: an engine of others is not flooded. */
const atOnce = 2;

type Question = {
  engine: Engine;
  breaker: Breaker;
  points: readonly Point[];
  wish: Wish;
  grid: Grid;
  failed: (error: unknown) => void;
};

/**
 * Fills gaps of the grid block by block. A block without an answer stays unknown and the next one is asked; a refused size is
 * halved; a point far from every road is unreachable, and the others are asked again without it. Where no way leads from any
 * to any, an engine says so once, and is not asked pair by pair.
 */
export async function askGaps(question: Question, gaps: readonly Gap[]): Promise<void> {
  const waiting = gaps.flatMap((gap) => blocksOf(gap, question.engine.tableLimit()));
  const off = new OffRoad(question);
  const work = async (): Promise<void> => {
    for (let block = waiting.shift(); block; block = waiting.shift()) {
      const again = await askBlock(question, off, block);
      waiting.unshift(...again);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Asks one block; gives back what to ask instead when it was too large or had points off the roads. */
async function askBlock(question: Question, off: OffRoad, block: Gap): Promise<Gap[]> {
  const { engine, breaker, points, wish, grid } = question;
  if (breaker.isOpen()) return [];
  const limit = engine.tableLimit();
  if (block.rows.length > limit || block.columns.length > limit) return blocksOf(block, limit);
  const pick = (indexes: readonly number[]): Point[] => indexes.flatMap((index) => points[index] ?? []);
  try {
    const table = await engine.table(pick(block.rows), pick(block.columns), wish);
    breaker.succeeded();
    putBlock(grid, block.rows, block.columns, table);
    return [];
  } catch (error) {
    return afterFailure(question, off, { block, error });
  }
}

type Failure = { block: Gap; error: unknown };

async function afterFailure(question: Question, off: OffRoad, { block, error }: Failure): Promise<Gap[]> {
  const reason = error instanceof EngineFailed ? error.reason : 'down';
  const isSingle = block.rows.length === 1 && block.columns.length === 1;
  if (reason === 'too-large' && !isSingle) return halves(block);
  if (reason === 'unconnected' && !isSingle) return halves(block);
  if (reason === 'unconnected' || reason === 'no-way') {
    noWay(question.grid, block);
    return [];
  }
  if (reason === 'no-road' && (await off.learn())) {
    const rest = off.strike(block);
    if (rest.rows.length === 0 || rest.columns.length === 0) return [];
    if (rest.rows.length < block.rows.length || rest.columns.length < block.columns.length) return [rest];
  }
  if (reason === 'down') question.breaker.failed();
  question.failed(error);
  return [];
}

function halves(block: Gap): Gap[] {
  const longest = Math.max(block.rows.length, block.columns.length);
  return blocksOf(block, Math.ceil(longest / 2));
}

function noWay(grid: Grid, { rows, columns }: Gap): void {
  for (const row of rows) {
    for (const column of columns) if (row !== column) putCell(grid, row, column, [null, null]);
  }
}

/** Points that are near no road, found out once for a matrix. */
class OffRoad {
  readonly #question: Question;
  #asked: Promise<ReadonlySet<number>> | null = null;
  #points: ReadonlySet<number> = new Set();

  constructor(question: Question) {
    this.#question = question;
  }

  /** True once it is known which they are. */
  async learn(): Promise<boolean> {
    const { engine, points, wish } = this.#question;
    this.#asked ??= this.#find(engine, points, wish);
    this.#points = await this.#asked;
    return this.#points.size > 0;
  }

  async #find({ roadKm, wayLimit }: Engine, points: readonly Point[], wish: Wish) {
    const found = new Set<number>();
    for (let at = 0; at < points.length; at += wayLimit) {
      const answers = await roadKm(points.slice(at, at + wayLimit), wish).catch(() => []);
      for (const [index, away] of answers.entries()) if (away === null) found.add(at + index);
    }
    return found;
  }

  /** Writes the pairs of such points as unreachable; the rest of the block. */
  strike({ rows, columns }: Gap): Gap {
    const all = { rows, columns };
    const off = (index: number): boolean => this.#points.has(index);
    noWay(this.#question.grid, { rows: rows.filter(off), columns: all.columns });
    noWay(this.#question.grid, { rows: all.rows, columns: columns.filter(off) });
    return { rows: rows.filter((row) => !off(row)), columns: columns.filter((column) => !off(column)) };
  }
}
