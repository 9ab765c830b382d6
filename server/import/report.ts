import { fromHundredths } from '../../domain/units.ts';

/** A group of rows that were taken although something about them is odd. */
type Flagged = { reason: string; count: number; amount: string | null; lines: number[] };

/** What an import did, as it is printed and sent. */
export type ImportReport = {
  kind: string;
  file: string;
  dryRun: boolean;
  /** Rows read, without the header and blank lines: the sum of the next four and `refused`. */
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  /** Rows that say again what another row of the file says better, e.g. older revisions. */
  repeated: number;
  refused: { line: number; reason: string }[];
  flagged: Flagged[];
  notes: string[];
  /** Field -> name of the column it was read from. */
  columns: Record<string, string>;
  /** Latitude and longitude of most places look exchanged. */
  swapped?: boolean;
  /** Sums of the sales that were read, new or known. */
  sales?: SalesSums;
};

export type Sum = { name: string; lines: number; units: number; amount: string };

export type SalesSums = {
  transactions: number;
  units: number;
  currency: string;
  amount: string;
  firstDay: string | null;
  lastDay: string | null;
  byMachine: Sum[];
  byPayment: Sum[];
  machinesCreated: string[];
};

type FlagGroup = { lines: number[]; amount: bigint | null };

/** Looks on while an import runs: told now and then how many rows are done, it may end it by throwing. */
export type Watch = (done: { read: number; done: number }) => void;

/** Rows between two looks. */
const watchedEvery = 250;

/** Gathers what happens to each row while an import runs. */
export type Tally = {
  row: () => void;
  count: (counts: { created?: number; updated?: number; unchanged?: number; repeated?: number }) => void;
  refuse: (line: number, reason: string) => void;
  flag: (line: number, reason: string, amount?: bigint) => void;
  note: (text: string) => void;
  report: (about: Pick<ImportReport, 'kind' | 'file' | 'dryRun' | 'columns'>) => ImportReport;
};

export function newTally(watch: Watch = () => {}): Tally {
  const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, repeated: 0 };
  const refused: ImportReport['refused'] = [];
  const flags = new Map<string, FlagGroup>();
  const notes: string[] = [];
  let looked = 0;
  const look = (): void => {
    const done = counts.created + counts.updated + counts.unchanged + counts.repeated + refused.length;
    if (counts.rows + done - looked < watchedEvery) return;
    looked = counts.rows + done;
    watch({ read: counts.rows, done });
  };
  return {
    row: () => {
      counts.rows += 1;
      look();
    },
    count: ({ created = 0, updated = 0, unchanged = 0, repeated = 0 }) => {
      counts.created += created;
      counts.updated += updated;
      counts.unchanged += unchanged;
      counts.repeated += repeated;
      look();
    },
    refuse: (line, reason) => {
      refused.push({ line, reason });
    },
    flag: (line, reason, amount) => {
      const group = flags.get(reason) ?? { lines: [], amount: null };
      group.lines.push(line);
      if (amount !== undefined) group.amount = (group.amount ?? 0n) + amount;
      flags.set(reason, group);
    },
    note: (text) => {
      if (!notes.includes(text)) notes.push(text);
    },
    report: (about) => ({
      ...about,
      ...counts,
      refused: refused.toSorted((a, b) => a.line - b.line),
      flagged: [...flags].map(([reason, { lines, amount }]) => ({
        reason,
        count: lines.length,
        amount: amount === null ? null : fromHundredths(amount),
        lines,
      })),
      notes,
    }),
  };
}
