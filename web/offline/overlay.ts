import type { ScheduledRoute } from '../../contract/routes.ts';
import type { Draft, Entry, StockEntry } from './records.ts';

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

type Figures = { quantity: number; state: ItemState; reason: string | null; lastSeq: number };

/** A row with a change that is on the disk already, until the row has been read with it: nothing jumps in between. */
export function withJustSaved<Row extends Figures>(row: Row, entry: StockEntry | undefined): Row {
  if (!entry || row.lastSeq >= entry.seq) return row;
  return { ...row, quantity: withUnsent(row.quantity, [entry]), state: 'saved_on_phone', reason: null };
}

/** What the screen shows once the draft is laid over the balance. */
export function withDraft(balance: number, draft: Pick<Draft, 'change'> | undefined): number {
  if (!draft) return balance;
  return draft.change.kind === 'count' ? draft.change.quantity : Math.max(0, balance + draft.change.quantity);
}

export function stateOf(entries: readonly StockEntry[], sending: ReadonlySet<string>): ItemState {
  const latest = entries.reduce<StockEntry | null>(
    (last, entry) => (last && last.seq > entry.seq ? last : entry),
    null,
  );
  const unsent = entries.filter((entry) => entry.status === 'unsent');
  if (unsent.some((entry) => sending.has(entry.id))) return 'sending';
  if (unsent.length > 0) return 'saved_on_phone';
  if (entries.some((entry) => entry.status === 'refused' || entry.status === 'needs_attention')) {
    return 'needs_attention';
  }
  if (!latest) return 'none';
  return latest.status === 'superseded' ? 'superseded' : 'saved';
}

/** A day's route as the driver left it: own starts and completions count before the server has them. */
export function withActions(route: ScheduledRoute, entries: readonly Entry[]): ScheduledRoute {
  const own = entries.filter((entry) => entry.status === 'unsent' && entry.type !== 'stock-event');
  const arrivals = new Map<number, string>();
  let isStarted = false;
  for (const entry of own) {
    if (entry.type === 'stop-completed') arrivals.set(entry.stopId, entry.actualArrival);
    if (entry.type === 'route-started' && entry.routeId === route.id) isStarted = true;
  }
  const stops = route.stops.map((stop) => {
    const actualArrival = stop.completed ? undefined : arrivals.get(stop.id);
    return actualArrival === undefined ? stop : { ...stop, completed: true, actualArrival };
  });
  const completedStops = stops.filter((stop) => stop.completed).length;
  const started = isStarted && route.status === 'planned' ? { ...route, status: 'in_progress' as const } : route;
  const isOpen = stops.some((stop) => !stop.completed && stop.skippedReason === null);
  const isFinished = started.status === 'in_progress' && stops.length > 0 && !isOpen;
  return { ...started, status: isFinished ? 'completed' : started.status, stops, completedStops };
}
