import type { DayRange } from '../../domain/report.ts';
import { addDays, distanceOfDays } from '../../domain/time.ts';

/** Rows of one table that are added to the sum, or taken away from it. */
export type Piece = DayRange & { grain: 'block' | 'week' | 'day'; sign: 1 | -1 };

/** A Monday, from which `block_of` in the database counts. */
const epoch = '2000-01-03';

/** The nearest first day of a week or block of so many days; a day in the middle belongs to the earlier one. */
function nearest(day: string, length: number): string {
  const since = distanceOfDays(epoch, day);
  const before = addDays(epoch, length * Math.floor(since / length));
  return distanceOfDays(before, day) * 2 > length ? addDays(before, length) : before;
}

/**
 * The days of a range as whole blocks of four weeks, with what these have too much or too little at both ends put right by weeks, and
 * weeks by days: three days and two weeks at the most on either side, instead of six and all weeks.
 */
export function piecesOf({ from, to }: DayRange): Piece[] {
  const [begin, end] = [from, addDays(to, 1)];
  const edges = (['block', 'week', 'day'] as const).map((grain) => ({ grain, ...edgesOf(grain, begin, end) }));
  const pieces: Piece[] = [];
  const [blocks, weeks, days] = edges;
  if (!blocks || !weeks || !days) return [];
  add(pieces, 'block', blocks.begin, blocks.end);
  add(pieces, 'week', weeks.begin, blocks.begin);
  add(pieces, 'week', blocks.end, weeks.end);
  add(pieces, 'day', days.begin, weeks.begin);
  add(pieces, 'day', weeks.end, days.end);
  return pieces;
}

const lengths = { block: 28, week: 7, day: 1 };

function edgesOf(grain: Piece['grain'], begin: string, end: string): { begin: string; end: string } {
  return { begin: nearest(begin, lengths[grain]), end: nearest(end, lengths[grain]) };
}

/** From one first day up to before another; where the other comes first, what lies between is taken away. */
function add(pieces: Piece[], grain: Piece['grain'], begin: string, end: string): void {
  if (begin < end) pieces.push({ grain, from: begin, to: addDays(end, -lengths[grain]), sign: 1 });
  if (begin > end) pieces.push({ grain, from: end, to: addDays(begin, -lengths[grain]), sign: -1 });
}
