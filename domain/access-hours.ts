/** Minutes of the day, from inclusive to exclusive; `to` may pass midnight (up to 48 h). */
export type Window = { fromMin: number; toMin: number };

const days = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;
const dayMin = 24 * 60;

const dayPart = '(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)(?:-(?:Mo|Tu|We|Th|Fr|Sa|Su))?';
const time = '\\d{1,2}:\\d{2}';
const span = `${time}\\s*-\\s*${time}`;
const rulePattern = new RegExp(
  `^(?:(${dayPart}(?:\\s*,\\s*${dayPart})*)\\s*)?(?:(${span}(?:\\s*,\\s*${span})*)|(off|closed)|(24/7|open))$`,
  'i',
);

/**
 * When a location can be entered on a weekday (0 = Monday), in the notation of OpenStreetMap's `opening_hours`: rules
 * 'Mo-Fr 08:00-17:00', 'Sa,Su off', '24/7', separated by semicolons; a later rule replaces an earlier one for its days.
 * Public holidays are ignored. Null for text outside this part of the notation: then nothing is known and any time is
 * allowed. An empty list means closed all day.
 * Source: wiki.openstreetmap.org/wiki/Key:opening_hours/specification
 */
export function accessWindows(text: string, weekday: number): Window[] | null {
  let windows: Window[] | null = null;
  let isNamed = false;
  for (const rule of text.split(';')) {
    if (rule.trim() === '') continue;
    const parsed = parseRule(rule.trim());
    if (!parsed) return null;
    isNamed = true;
    if (parsed.days.has(weekday)) windows = parsed.windows;
  }
  // Days that no rule names are closed, as the notation has it.
  return isNamed ? (windows ?? []) : null;
}

/** Whether the text can be read; a form refuses what cannot. */
export function isAccessHours(text: string): boolean {
  return text.trim() === '' || accessWindows(text, 0) !== null;
}

/** Neighbouring days of the same hours: from and to as 0 Monday to 6 Sunday, both inclusive. */
export type AccessDays = { from: number; to: number; windows: Window[] };

/** The week from Monday to Sunday in as few spans of days as its hours allow; null for text that cannot be read. */
export function accessWeek(text: string): AccessDays[] | null {
  const week: AccessDays[] = [];
  for (const day of days.keys()) {
    const windows = accessWindows(text, day);
    if (!windows) return null;
    const last = week.at(-1);
    if (last && isSame(last.windows, windows)) last.to = day;
    else week.push({ from: day, to: day, windows });
  }
  return week;
}

const isSame = (one: readonly Window[], other: readonly Window[]): boolean =>
  one.length === other.length &&
  one.every(({ fromMin, toMin }, i) => fromMin === other[i]?.fromMin && toMin === other[i]?.toMin);

function parseRule(rule: string): { days: Set<number>; windows: Window[] } | null {
  const found = rulePattern.exec(rule);
  if (!found) return null;
  const [, dayText, spans, off] = found;
  const named = dayText ? parseDays(dayText) : new Set(days.keys());
  if (off) return { days: named, windows: [] };
  if (!spans) return { days: named, windows: [{ fromMin: 0, toMin: dayMin }] };
  const windows = spans.split(',').map(parseSpan);
  return windows.every((window) => window !== null) ? { days: named, windows } : null;
}

function parseDays(text: string): Set<number> {
  const named = new Set<number>();
  for (const part of text.split(',')) {
    const [first = '', last = first] = part.trim().split('-');
    const from = indexOf(first);
    const to = indexOf(last);
    if (from < 0 || to < 0) continue;
    for (let day = from; ; day = (day + 1) % 7) {
      named.add(day);
      if (day === to) break;
    }
  }
  return named;
}

function indexOf(day: string): number {
  return days.findIndex((one) => one.toLowerCase() === day.toLowerCase());
}

function parseSpan(text: string): Window | null {
  const [from = '', to = ''] = text.split('-').map((part) => part.trim());
  const fromMin = minutesOf(from);
  const toMin = minutesOf(to);
  if (fromMin === null || toMin === null || fromMin >= dayMin) return null;
  return { fromMin, toMin: toMin <= fromMin ? toMin + dayMin : toMin };
}

function minutesOf(text: string): number | null {
  const [hours = Number.NaN, minutes = Number.NaN] = text.split(':').map(Number);
  const isTime = hours >= 0 && hours <= 24 && minutes >= 0 && minutes < 60;
  return isTime ? hours * 60 + minutes : null;
}
