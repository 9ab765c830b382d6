/** Units a person handles in a minute, and the minutes a stop takes beside them: defaults until visits teach better. */
const serviceRates = { marketBaseMin: 20, machineBaseMin: 8, unitsPerMin: 12, maxMin: 60 };

/**
 * Expected minutes of service at a stop from the units that are missing there.
 * Source: trade rule of thumb, about 12 minutes a machine and 30 to 60 a market.
 */
export function serviceMinutes(type: 'market' | 'vending_machine', missingUnits: number): number {
  const base = type === 'market' ? serviceRates.marketBaseMin : serviceRates.machineBaseMin;
  return Math.min(serviceRates.maxMin, Math.round(base + Math.max(0, missingUnits) / serviceRates.unitsPerMin));
}

/** Visits of a location that teach how long a stop takes, the newest first. */
export const visitsLearnedFrom = 12;
/** From so many visits on they alone decide; fewer are mixed with the usual rates. */
const enoughVisits = 5;
/** A shorter visit was a mistaken tap, a longer one was never closed. Minutes. */
export const visitBounds = { leastMin: 1, mostMin: 240 };

export type ServiceTime = {
  /** Whole minutes that a stop is expected to take. */
  serviceMin: number;
  /** Visits that this was learned from; 0: estimated by the usual rates. */
  serviceVisits: number;
};

/** What a stop is known by: its kind, the units it is short of, and the minutes of its visits, the newest first. */
export type ServiceFacts = {
  type: 'market' | 'vending_machine';
  missingUnits: number;
  pastMinutes: readonly number[];
};

/**
 * How long a stop will take: the median of its latest visits, so that one long talk changes little, drawn towards the usual
 * rates while there are fewer than five.
 */
export function serviceTime({ type, missingUnits, pastMinutes }: ServiceFacts): ServiceTime {
  const usual = serviceMinutes(type, missingUnits);
  const { leastMin, mostMin } = visitBounds;
  const learned = pastMinutes
    .filter((minutes) => minutes >= leastMin && minutes <= mostMin)
    .slice(0, visitsLearnedFrom);
  if (learned.length === 0) return { serviceMin: usual, serviceVisits: 0 };
  const weight = Math.min(1, learned.length / enoughVisits);
  const serviceMin = Math.round(weight * medianOf(learned) + (1 - weight) * usual);
  return { serviceMin: Math.max(leastMin, serviceMin), serviceVisits: learned.length };
}

function medianOf(minutes: readonly number[]): number {
  const sorted = minutes.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Where the minutes of a stop come from, e.g. 'about 14 min, from 6 visits'. */
export function serviceText({ serviceMin, serviceVisits }: ServiceTime): string {
  if (serviceVisits === 0) return `about ${serviceMin} min, estimated`;
  return `about ${serviceMin} min, from ${serviceVisits === 1 ? '1 visit' : `${serviceVisits} visits`}`;
}
