const minuteMs = 60_000;

/** By how much the server's clock is ahead: as its last answer here said, before the first as this phone has kept it. */
let heardMs: number | null = null;
let keptMs = 0;

type Listener = () => void;
const listeners = new Set<Listener>();

const aheadMs = (): number => heardMs ?? keptMs;

/** Now, by the server's clock as far as it is known: what day it is must not depend on how somebody set this device. */
export const serverNow = (): Date => new Date(Date.now() + aheadMs());

/** In whole minutes: how long an answer took is no difference of clocks. */
export function noteAnswer({ headers }: Response): void {
  const told = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(told)) return;
  note(() => {
    heardMs = minuteMs * Math.round((told - Date.now()) / minuteMs);
  });
}

export function noteKeptClock(clockAheadMs: number): void {
  note(() => {
    keptMs = clockAheadMs;
  });
}

function note(change: () => void): void {
  const before = aheadMs();
  change();
  if (aheadMs() !== before) for (const listener of listeners) listener();
}

/** Calls the listener whenever more is known of the server's clock. Returns the way to stop. */
export function onClockKnown(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
