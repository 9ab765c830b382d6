import { addDays, distanceOfDays, weekdayOf } from './time.ts';

/**
 * What stands at a location and how long it lasts. One rule for the whole product: units a day, days of cover, what to
 * fill, what is lost until a day and what a visit is worth. Days are calendar days of the operator (YYYY-MM-DD),
 * quantities are units, money is in the operator's currency.
 */

/** Days of history an estimate reads, and the age in days at which a day counts half. */
export const demandWindow = { days: 56, halfLifeDays: 56 };

/** A day is left out of the estimate when the item was sold out for this part of it or more. */
const leftOutFrom = 0.5;

/** A weekday's own share is trusted as much as its flat share once this many units were sold on it. */
const weekdayPriorUnits = 10;

/** Without a planned visit this many days until the next are assumed. */
export const assumedVisitDays = 7;

/** What an hour of a driver and van costs where nobody says otherwise, in the operator's currency. */
export const usualCostPerHour = 45;

/** One day with movements of one item, as the daily roll-up keeps it; days without a row went on as they were. */
export type ItemDay = {
  /** Days after the first day of the span; below zero is before it. */
  at: number;
  units: number;
  /** 0 to 1. */
  soldOutShare: number;
  /** Believed quantity at the end of the day; null before the first count. */
  closing: number | null;
};

/** So many complete days from this one on. */
export type Span = { from: string; days: number };

/** What was sold on the days that count, by weekday from Monday; ages are weighed out already. */
export type Observed = { units: number[]; days: number[] };

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const none = (): number[] => [0, 0, 0, 0, 0, 0, 0];

/** Weight of a day by its age; older than the window none. */
const weights = Array.from({ length: demandWindow.days }, (_, age) => 2 ** (-age / demandWindow.halfLifeDays));

/**
 * Folds the rows of an item to what was seen by weekday. A day sold out for half of it or more is left out; of any other
 * day the part not sold out counts. Younger days weigh more: half as much every `halfLifeDays`. `rows` rise by day; the
 * last one of before the span tells how it began, without one the item began with its first row.
 */
export function observe(rows: readonly ItemDay[], span: Span): Observed {
  const seen: Observed = { units: none(), days: none() };
  const earlier = rows.filter((row) => row.at < 0);
  const within = rows.slice(earlier.length);
  let gone = earlier.at(-1)?.closing === 0;
  const firstWeekday = weekdayOf(span.from);
  const first = earlier.length > 0 ? 0 : (within[0]?.at ?? span.days);
  let next = 0;
  for (let at = first; at < span.days; at++) {
    const row = within[next]?.at === at ? within[next] : undefined;
    const share = row?.soldOutShare ?? (gone ? 1 : 0);
    if (share < leftOutFrom) {
      const weight = weights[span.days - 1 - at] ?? 0;
      const weekday = (firstWeekday + at) % 7;
      seen.units[weekday] = (seen.units[weekday] ?? 0) + weight * (row?.units ?? 0);
      seen.days[weekday] = (seen.days[weekday] ?? 0) + weight * (1 - share);
    }
    if (!row) continue;
    gone = row.closing === 0;
    next += 1;
  }
  return seen;
}

/** Several items seen as one, e.g. all of a location or of a product. */
export function pool(all: Iterable<Observed>): Observed {
  const total: Observed = { units: none(), days: none() };
  for (const one of all) {
    for (let weekday = 0; weekday < 7; weekday++) {
      total.units[weekday] = (total.units[weekday] ?? 0) + (one.units[weekday] ?? 0);
      total.days[weekday] = (total.days[weekday] ?? 0) + (one.days[weekday] ?? 0);
    }
  }
  return total;
}

/** Units sold a day over the days that count; 0 where none does. */
export function meanOf(seen: Observed): number {
  const days = sum(seen.days);
  return days > 0 ? sum(seen.units) / days : 0;
}

/**
 * Sales of each weekday over the average day, Monday first, mean 1: (sold + 10) / (expected if flat + 10), so that thin
 * data stay near flat. Taken over a whole location, because one item sells too little to have a shape of its own.
 */
export function weekdayShape(seen: Observed): number[] {
  const mean = meanOf(seen);
  const raw = none().map((_, weekday) => {
    const flat = mean * (seen.days[weekday] ?? 0);
    return ((seen.units[weekday] ?? 0) + weekdayPriorUnits) / (flat + weekdayPriorUnits);
  });
  const average = sum(raw) / 7;
  return raw.map((value) => value / average);
}

export type Demand = {
  /** Units on an average day of the week. */
  perDay: number;
  /** By weekday from Monday, mean 1. */
  shape: number[];
  /** Days behind it, weighed by age; 0: the mean of its kind alone. */
  days: number;
};

/**
 * Units a day of an item. The mean of its kind (its product elsewhere, else its kind of location) weighs as much as one
 * sold unit: (sold + 1) / (days + 1 / mean of its kind). A new item thus begins at the mean, one with much history hardly
 * feels it. Source: gamma prior of shape 1 on a Poisson rate, as slow and quick slots differ by about their own mean.
 */
export function estimateDemand(seen: Observed, kindPerDay: number, shape: readonly number[]): Demand {
  // Days of a strong weekday count for more of them: a slot seen on Sundays only is no slow slot.
  const days = sum(seen.days.map((count, weekday) => count * (shape[weekday] ?? 1)));
  const units = sum(seen.units);
  const kind = Math.max(0, kindPerDay);
  const own = days > 0 ? units / days : 0;
  const perDay = kind > 0 ? (units + 1) / (days + 1 / kind) : own;
  return { perDay, shape: [...shape], days: sum(seen.days) };
}

/** An instant of the operator's calendar: the day and the part of it that has passed, 0 to 1. */
export type Moment = { day: string; passed: number };

/** Units expected to be asked for between two moments; 0 when the second is not later. */
export function expectedUnits(demand: Demand, from: Moment, until: Moment): number {
  const days = distanceOfDays(from.day, until.day);
  const firstWeekday = weekdayOf(from.day);
  const onDay = (at: number): number => demand.perDay * (demand.shape[(firstWeekday + at) % 7] ?? 1);
  if (days < 0) return 0;
  if (days === 0) return Math.max(0, until.passed - from.passed) * onDay(0);
  let total = (1 - from.passed) * onDay(0) + until.passed * onDay(days);
  const whole = days - 1;
  // Whole weeks are seven average days, however long the span is.
  total += 7 * demand.perDay * Math.floor(whole / 7);
  for (let at = 1; at <= whole % 7; at++) total += onDay(at);
  return total;
}

const farDays = 365;

/** Days until stock is used up at the expected rate, at most 365; null when nothing sells. 0: sold out now. */
export function daysOfCover(demand: Demand, onHand: number, from: Moment): number | null {
  if (onHand <= 0) return 0;
  if (demand.perDay <= 0) return null;
  const firstWeekday = weekdayOf(from.day);
  const rateOn = (at: number): number => demand.perDay * (demand.shape[(firstWeekday + at) % 7] ?? 1);
  const today = (1 - from.passed) * rateOn(0);
  if (today >= onHand) return ((1 - from.passed) * onHand) / today;
  // Whole weeks from tomorrow on are seven average days each.
  const weeks = Math.floor((onHand - today) / (7 * demand.perDay));
  let left = onHand - today - weeks * 7 * demand.perDay;
  for (let at = 1; at <= 8; at++) {
    const days = 7 * weeks + at - from.passed;
    if (days >= farDays) break;
    if (rateOn(at) >= left) return days + left / Math.max(rateOn(at), Number.MIN_VALUE);
    left -= rateOn(at);
  }
  return farDays;
}

/** Natural logarithm of n!. Source: Stirling series, exact to 1e-10 from n = 10; below it the product itself. */
function logFactorial(n: number): number {
  if (n < 10) {
    let product = 1;
    for (let k = 2; k <= n; k++) product *= k;
    return Math.log(product);
  }
  return (
    n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5)
  );
}

const poisson = (k: number, mean: number): number => Math.exp(k * Math.log(mean) - mean - logFactorial(k));

/**
 * Expected units that are asked for and not there: E[max(0, D - stock)] with D Poisson of this mean. Poisson, because
 * buyers come one by one and independently. Summed over whichever tail is small, so nothing cancels.
 */
export function expectedLostUnits(mean: number, stock: number): number {
  if (!(mean > 0)) return 0;
  const held = Math.max(0, Math.floor(stock));
  if (held === 0) return mean;
  const above = held >= mean;
  let k = above ? held + 1 : held - 1;
  let chance = poisson(k, mean);
  let total = 0;
  while (k >= 0) {
    const term = Math.abs(k - held) * chance;
    total += term;
    if (term < 1e-12 * (1 + total) && Math.abs(k - held) > 1) break;
    chance *= above ? mean / (k + 1) : k / mean;
    k += above ? 1 : -1;
  }
  return above ? total : mean - held + total;
}

/** Chance, 0 to 1, that more is asked for than is there: 1 at no stock. */
export function chanceOfRunningOut(mean: number, stock: number): number {
  const held = Math.max(0, Math.floor(stock));
  if (held === 0) return 1;
  if (!(mean > 0)) return 0;
  // P(D > stock - 1) out of two neighbouring losses: each unit of stock saves exactly that chance.
  return Math.min(1, Math.max(0, expectedLostUnits(mean, held - 1) - expectedLostUnits(mean, held)));
}

/** Share of par that may wait for the next visit when it saves opening a case. */
const leftForNext = 0.1;

/**
 * Units that bring what will be there up to par. Where whole cases bring it nearly there, to within a tenth of par, no other case is opened for
 * the rest (EOQ rounding, downwards: what is above par has no place).
 */
export function fillToPar(expectedOnHand: number, par: number, caseSize: number | null = null): number {
  const missing = Math.max(0, Math.min(par, Math.round(par - Math.max(0, expectedOnHand))));
  if (!caseSize || caseSize < 2 || missing < caseSize) return missing;
  const singles = missing % caseSize;
  return singles <= leftForNext * par ? missing - singles : missing;
}

/** Seconds of driving and work that an amount of money pays for. */
export function prizeSeconds(money: number, costPerHour: number): number {
  return costPerHour > 0 ? Math.max(0, Math.round((3600 * money) / costPerHour)) : 0;
}

/** 0 to 100 for the optimiser: which stops to keep when not all can be served. An hour's worth or more is 100. */
export function priorityOf(seconds: number): number {
  return Math.max(0, Math.min(100, Math.round(seconds / 36)));
}

/** One slot or item as it stands now. */
export type Standing = { onHand: number; par: number; price: number; caseSize: number | null };

/** When now is, when the location is visited next, and when after that. */
export type Visits = { now: Moment; next: Moment; after: Moment };

export type ItemNeed = {
  perDay: number;
  daysOfCover: number | null;
  /** Units expected to be asked for until the next visit. */
  untilVisit: number;
  lostUnits: number;
  /** Expected lost sales until the next visit. */
  lostMoney: number;
  /** Further sales lost until the visit after, if the next one does not take place: what it saves. */
  savedMoney: number;
  runOutChance: number;
  /** Units to bring to the next visit. */
  fill: number;
};

/** What one item needs. */
export function itemNeed(demand: Demand, standing: Standing, visits: Visits): ItemNeed {
  const onHand = Math.max(0, standing.onHand);
  const untilVisit = expectedUnits(demand, visits.now, visits.next);
  const lostUnits = expectedLostUnits(untilVisit, onHand);
  const lostLater = expectedLostUnits(expectedUnits(demand, visits.now, visits.after), onHand);
  return {
    perDay: demand.perDay,
    daysOfCover: daysOfCover(demand, onHand, visits.now),
    untilVisit,
    lostUnits,
    lostMoney: lostUnits * standing.price,
    savedMoney: Math.max(0, lostLater - lostUnits) * standing.price,
    runOutChance: untilVisit > 0 || onHand === 0 ? chanceOfRunningOut(untilVisit, onHand) : 0,
    fill: fillToPar(onHand - (untilVisit - lostUnits), standing.par, standing.caseSize),
  };
}

/** How far forecasts were from what counts found, in units. */
export type ForecastError = {
  counts: number;
  /** Mean absolute error. */
  mae: number;
  /** Mean signed error; above zero more was expected than was found. */
  bias: number;
};

/** Sums of errors, which add up over locations. */
export type ErrorSums = { counts: number; absoluteError: number; signedError: number; naiveError: number };

export const noErrors: ErrorSums = { counts: 0, absoluteError: 0, signedError: 0, naiveError: 0 };

/** A past count beside what had been expected, by this module and by a plain mean of all days. */
export type Forecast = { expected: number; naive: number; found: number };

/** The sums with one more comparison, in units. */
export function addForecast(sums: ErrorSums, { expected, naive, found }: Forecast): ErrorSums {
  return {
    counts: sums.counts + 1,
    absoluteError: sums.absoluteError + Math.abs(expected - found),
    signedError: sums.signedError + expected - found,
    naiveError: sums.naiveError + Math.abs(naive - found),
  };
}

/** Null without a past count. */
export function forecastError({ counts, absoluteError, signedError }: ErrorSums): ForecastError | null {
  return counts > 0 ? { counts, mae: absoluteError / counts, bias: signedError / counts } : null;
}

/** What is expected to be left of a stock after so many units are asked for: E[max(0, stock - D)]. */
export function expectedLeft(mean: number, stock: number): number {
  return Math.max(0, stock - mean + expectedLostUnits(mean, stock));
}

/** A named item with its need, as sentences speak of it. */
export type NeedLine = { name: string; onHand: number; need: ItemNeed };

const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `today`, `tomorrow`, a weekday within six days, else `Mar 12, 2026`. */
export function dayWord(today: string, day: string): string {
  const ahead = distanceOfDays(today, day);
  if (ahead === 0) return 'today';
  if (ahead === 1) return 'tomorrow';
  if (ahead > 1 && ahead < 7) return weekdayNames[weekdayOf(day)] ?? day;
  return `${monthNames[Number(day.slice(5, 7)) - 1] ?? ''} ${Number(day.slice(8))}, ${day.slice(0, 4)}`;
}

/** False for an expected loss too small to speak of, in the operator's currency. */
export const isWorthSaying = (lostMoney: number): boolean => lostMoney >= 0.5;

/** The day an item runs out at the expected rate; null when it does not within a year. */
export function runOutDay(need: Pick<ItemNeed, 'daysOfCover'>, now: Moment): string | null {
  const { daysOfCover: cover } = need;
  return cover === null || cover >= farDays ? null : addDays(now.day, Math.floor(now.passed + cover));
}

/** True when the expected rate uses the stock up before the next visit. */
export function runsOutBefore(need: Pick<ItemNeed, 'daysOfCover'>, visits: Pick<Visits, 'now' | 'next'>): boolean {
  const until = distanceOfDays(visits.now.day, visits.next.day) + visits.next.passed - visits.now.passed;
  return need.daysOfCover !== null && need.daysOfCover > 0 && need.daysOfCover <= until;
}

/** Why a location needs its next visit: a few short sentences, the dearest first; none when nothing is missing. */
export function whyVisit(lines: readonly NeedLine[], visits: Visits, { planned }: { planned: boolean }): string[] {
  const today = visits.now.day;
  const visit = `${planned ? 'next visit' : 'next visit expected'} ${dayWord(today, visits.next.day)}`;
  const dearest = [...lines].sort((a, b) => b.need.lostMoney - a.need.lostMoney || a.name.localeCompare(b.name));
  const empty = dearest.filter((line) => line.onHand <= 0 && line.need.perDay > 0);
  const ending = dearest.filter((line) => line.onHand > 0 && runsOutBefore(line.need, visits));
  const sentences: string[] = [];
  const [first, ...others] = ending;
  if (empty.length > 0) sentences.push(emptySentence(empty));
  if (first) {
    const day = runOutDay(first.need, visits.now) ?? today;
    sentences.push(`${first.name} runs out ${dayWord(today, day)}; ${visit}.`);
  }
  if (others.length > 0) sentences.push(`${others.length} more ${others.length === 1 ? 'runs' : 'run'} out before it.`);
  return sentences;
}

function emptySentence(empty: readonly NeedLine[]): string {
  const [first, second] = empty;
  if (!second) return `${first?.name} is sold out.`;
  if (empty.length === 2) return `${first?.name} and ${second.name} are sold out.`;
  return `${first?.name} and ${empty.length - 1} more are sold out.`;
}

/** How each number is made, as screens show it beside the number. */
export const needFormulas = {
  perDay: `Units a day = (sold + 1) / (days + 1 / mean of its kind), by weekday, over ${demandWindow.days} days; newer days weigh more, days sold out for half or more are left out`,
  daysOfCover: 'Days of cover = days until the units expected each weekday use up what is there',
  lost: 'Lost units = what buyers coming one by one (Poisson) ask for beyond what is there until the visit; lost sales = lost units × price',
  fill: 'Load = par - (what is there now - expected sales until the visit); no case is opened for the last tenth of par',
  prize:
    'Worth of the visit = further sales lost until the visit after, if this one is left out / cost of an hour of driving',
  error: 'Error = what was expected to be left - what the next count found, in units an item',
} as const;
