type Format = Intl.DateTimeFormat;
/** There are some 600 zones; names that nobody has to believe must not fill the memory. */
const mostZones = 200;

/** Making a format takes a hundred times as long as using it: each zone's is kept. */
function keptBy(make: (timeZone: string) => Format): (timeZone: string) => Format {
  const kept = new Map<string, Format>();
  return (timeZone) => {
    const known = kept.get(timeZone);
    if (known) return known;
    const made = make(timeZone);
    if (kept.size >= mostZones) kept.clear();
    kept.set(timeZone, made);
    return made;
  };
}

const dayFormat = keptBy(
  (timeZone) => new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
);

const clockFormat = keptBy(
  (timeZone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
);

/** The calendar day at an instant in an IANA time zone. */
export function dayIn(timeZone: string, at: Date): string {
  return dayFormat(timeZone).format(at);
}

/** The day `days` after (or before) a calendar day. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/**
 * The instant of a wall-clock time on a day in a time zone.
 * `minutes` counts from midnight. A time skipped by daylight saving moves forward.
 */
export function instantIn(timeZone: string, day: string, minutes: number): Date {
  const wanted = Date.parse(`${day}T00:00:00Z`) + minutes * 60_000;
  const first = wanted - offsetMs(timeZone, new Date(wanted));
  const second = wanted - offsetMs(timeZone, new Date(first));
  // Near a change of the clocks. Skipped is a time that neither guess is: east of Greenwich the second is the later one, west the first.
  const isSkipped = first !== second && second + offsetMs(timeZone, new Date(second)) !== wanted;
  return new Date(isSkipped ? Math.max(first, second) : second);
}

function offsetMs(timeZone: string, at: Date): number {
  const part = Object.fromEntries(
    clockFormat(timeZone)
      .formatToParts(at)
      .map((p) => [p.type, Number(p.value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  return local - Math.floor(at.getTime() / 1000) * 1000;
}

/** True when the runtime knows the IANA zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const hourMs = 3_600_000;

/** 'Just now', '1 hour ago', 'N hours ago', '1 day ago', 'N days ago'. */
export function relativeTime(at: Date, now: Date): string {
  const hours = Math.floor((now.getTime() - at.getTime()) / hourMs);
  if (hours < 1) return 'Just now';
  if (hours === 1) return '1 hour ago';
  if (hours < 24) return `${hours} hours ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** How long an alert has stood. Its message may name an older time, so this one says what it is the time of. */
export function raisedText(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return 'Raised just now';
  return `Raised ${minutes < 60 ? `${minutes} min ago` : relativeTime(at, now)}`;
}

/** Whole days from one calendar day to another; below zero when the second is earlier. */
export function distanceOfDays(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** 0 Monday to 6 Sunday of a calendar day. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}
