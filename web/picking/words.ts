import type { PickLine, PickRoute, PickSheet } from '../../contract/picking.ts';
import { type Handling, inCases, type PickInput } from '../../domain/picking.ts';
import { countOf, formatNumber } from '../http/format.ts';
import type { Tone } from '../ui/badge.tsx';

type Look = { tone: Tone; label: string };

const stateLook: Record<PickRoute['state'], Look> = {
  open: { tone: 'idle', label: 'Not begun' },
  picking: { tone: 'run', label: 'Picking' },
  picked: { tone: 'ok', label: 'Picked' },
  checked: { tone: 'ok', label: 'Checked' },
};

/** How far a list is. One that nobody began before its route left is not waiting for a picker any more. */
export function lookOf({ state, status }: Pick<PickRoute, 'state' | 'status'>): Look {
  if (state === 'open' && status === 'in_progress') return { tone: 'idle', label: 'Left without a list' };
  if (state === 'open' && status === 'completed') return { tone: 'idle', label: 'Driven without a list' };
  return stateLook[state];
}

export const handlingLabel: Record<Handling, string> = { drinks: 'Drinks', dry: 'Dry', cold: 'Cold' };

/** '2 cases + 7', '7'. */
export function casesText(units: number, caseSize: number | null): string {
  const { cases, singles } = inCases(units, caseSize);
  if (cases === 0) return formatNumber(singles);
  return singles === 0 ? countOf(cases, 'case') : `${countOf(cases, 'case')} + ${formatNumber(singles)}`;
}

/** '3', or '3-5' for a line that fills several. */
export const toteNumbers = ({ from, to }: { from: number; to: number }): string =>
  from === to ? String(from) : `${from}-${to}`;

export const linesOf = ({ stops }: PickSheet): PickLine[] =>
  stops.flatMap(({ totes }) => totes.flatMap(({ lines }) => lines));

/** A pick of all that is asked for; lines picked already are left as they are. */
export function allOf(lines: readonly PickLine[]): PickInput[] {
  return lines.flatMap(({ lineId, planned, picked }) =>
    lineId === null || picked !== null ? [] : [{ lineId, picked: planned }],
  );
}

export const isDone = (lines: readonly PickLine[]): boolean => lines.every(({ picked }) => picked !== null);
