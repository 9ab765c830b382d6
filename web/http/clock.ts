const minuteMs = 60_000;

/** By how much the server's clock is ahead: as its last answer here said, before the first as this browser or phone has kept it. */
let heardMs: number | null = null;
let keptMs = 0;

/**
 * After a reload without a network there is no answer: the last one is believed until a day after it. A clock that shows a time
 * before it was turned since, and says nothing.
 */
const keptName = 'milkrun-clock';
const believedMs = 24 * 3_600_000;
const keptEveryMs = 10 * minuteMs;
let recalled = recall();

type Heard = { aheadMs: number; at: number };

type Listener = () => void;
const listeners = new Set<Listener>();

const aheadMs = (): number => heardMs ?? believed() ?? keptMs;

function believed(): number | null {
  if (!recalled) return null;
  const since = Date.now() + recalled.aheadMs - recalled.at;
  // Told to the second, and kept to the minute.
  return since >= -minuteMs && since < believedMs ? recalled.aheadMs : null;
}

function recall(): Heard | null {
  try {
    const [ahead, at] = (localStorage.getItem(keptName) ?? '').split(' ').map(Number);
    return Number.isFinite(ahead) && Number.isFinite(at) ? { aheadMs: Number(ahead), at: Number(at) } : null;
  } catch {
    // Closed by the browser's settings: the clock of the machine is all there is.
    return null;
  }
}

function remember(heard: Heard): void {
  if (recalled?.aheadMs === heard.aheadMs && Math.abs(heard.at - recalled.at) < keptEveryMs) return;
  recalled = heard;
  try {
    localStorage.setItem(keptName, `${heard.aheadMs} ${heard.at}`);
  } catch {
    // Full or closed: until a reload it is known all the same.
  }
}

/** Now, by the server's clock as far as it is known: what day it is must not depend on how somebody set this device. */
export const serverNow = (): Date => new Date(Date.now() + aheadMs());

/** In whole minutes: how long an answer took is no difference of clocks. */
export function noteAnswer({ headers }: Response): void {
  const told = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(told)) return;
  note(() => {
    heardMs = minuteMs * Math.round((told - Date.now()) / minuteMs);
    remember({ aheadMs: heardMs, at: told });
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
