import type { DraftWork, StockEntry } from '../outbox/records.ts';

/** The state of an item's own changes, the most pressing one. */
export type ItemState = 'none' | 'draft' | 'saved_on_phone' | 'sending' | 'saved' | 'superseded' | 'needs_attention';

/** The server's quantity with this phone's unsent changes on top, in the order they were made. Never below zero on a screen. */
export function withUnsent(serverQuantity: number, entries: readonly StockEntry[]): number {
  const unsent = entries.filter((entry) => entry.status === 'unsent').sort((a, b) => a.seq - b.seq);
  const quantity = unsent.reduce(
    (sum, { event }) => (event.kind === 'count' ? event.quantity : sum + event.quantity),
    serverQuantity,
  );
  return Math.max(0, quantity);
}

/** Whether nothing was left at some moment of this phone's unsent changes: what is in a slot since then came later. */
export function wasEmptied(serverQuantity: number, entries: readonly StockEntry[]): boolean {
  const unsent = entries.filter((entry) => entry.status === 'unsent').sort((a, b) => a.seq - b.seq);
  const moments = [0, ...unsent.map((_, i) => i + 1)];
  return unsent.length > 0 && moments.some((upTo) => withUnsent(serverQuantity, unsent.slice(0, upTo)) === 0);
}

type Figures = { quantity: number; state: ItemState; reason: string | null; lastSeq: number };

/** A row with a change that is on the disk already, until the row has been read with it: nothing jumps in between. */
export function withJustSaved<Row extends Figures>(row: Row, entry: StockEntry | undefined): Row {
  if (!entry || row.lastSeq >= entry.seq) return row;
  return { ...row, quantity: withUnsent(row.quantity, [entry]), state: 'saved_on_phone', reason: null };
}

/** What the screen shows once the draft is laid over the balance: what was found, less what was taken, plus what came. */
export function withDraft(balance: number, draft: DraftWork | undefined): number {
  if (!draft) return balance;
  if (draft.change.kind === 'count') return draft.change.quantity;
  const taken = Object.values(draft.taken ?? {}).reduce((sum, units) => sum + units, 0);
  return Math.max(0, (draft.found ?? balance) - taken + draft.change.quantity);
}

type Answered = Pick<StockEntry, 'id' | 'seq' | 'status'>;

export function stateOf(entries: readonly Answered[], sending: ReadonlySet<string>): ItemState {
  const latest = entries.reduce<Answered | null>((last, entry) => (last && last.seq > entry.seq ? last : entry), null);
  const unsent = entries.filter((entry) => entry.status === 'unsent');
  if (unsent.some((entry) => sending.has(entry.id))) return 'sending';
  if (unsent.length > 0) return 'saved_on_phone';
  if (entries.some((entry) => entry.status === 'refused' || entry.status === 'needs_attention')) {
    return 'needs_attention';
  }
  if (!latest) return 'none';
  return latest.status === 'superseded' ? 'superseded' : 'saved';
}
