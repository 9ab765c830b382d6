import { farPlaces, farSentences } from '../../../domain/far-place.ts';
import type { Point } from '../../../domain/place.ts';
import { countOf, formatNumber } from '../../http/format.ts';
import type { Candidate } from '../places/locations.ts';
import type { PlanTerms } from './plan.ts';
import type { Choices } from './plan-terms.tsx';
import { ofThatName, someOf } from './some-of-many.ts';

type Vehicle = Choices['vehicles'][number];

/** What a plan is made with, as far as it is known before. */
export type Means = {
  /** Each once; empty: a plan begins at its first stop. */
  depots: readonly Point[];
  /** What goes out that day; one of which the size is not known holds everything. */
  vehicles: readonly Vehicle[];
  /** True: any one of the vehicles may drive all of it. None is planned with, so that nothing is left out for want of room. */
  isOneOf: boolean;
  /** What nobody needs a plan to know. */
  lacks: readonly string[];
};

type Place = Pick<Candidate, 'name' | 'lat' | 'lng' | 'totes'>;

/** What does not fit, before anything is planned: positions, and totes by the units that are missing now. */
export function misfitsBefore(chosen: readonly Place[], means: Means): string[] {
  if (chosen.length === 0) return [];
  const far = farPlaces(chosen, means.depots).map(({ name }) => name);
  // Two places of one name are told apart by nothing here: what is said of both is said once.
  return [...new Set([...means.lacks, ...farSentences(far), ...tooMuch(chosen, means)])];
}

/** What is asked of a vehicle all the same by a plan for any one of them: it leaves nothing out for want of room. */
export function misfitsAfter(planned: readonly Place[], means: Means): string[] {
  return means.isOneOf ? [...new Set(tooMuch(planned, means))] : [];
}

function tooMuch(chosen: readonly Place[], { vehicles, isOneOf }: Means): string[] {
  const rooms = vehicles.flatMap(({ capacityTotes }) => capacityTotes ?? []);
  if (rooms.length === 0 || rooms.length < vehicles.length) return [];
  const largest = Math.max(...rooms);
  const alone = chosen.filter(({ totes }) => totes > largest);
  const room = isOneOf ? largest : rooms.reduce((sum, one) => sum + one, 0);
  const needed = chosen.reduce((sum, { totes }) => sum + totes, 0);
  return [
    ...someOf(
      alone.map(({ name, totes }) => `${name} needs about ${totesText(totes)}: ${holdText(vehicles)}.`),
      {
        alike: (more) => `So ${more === 1 ? 'does' : 'do'} ${ofThatName(more)}`,
        rest: (more) => `${countOf(more, 'more stop needs', 'more stops need')} more than that.`,
      },
    ),
    ...(needed > room && alone.length < chosen.length ? [sumText({ needed, room, vehicles, isOneOf })] : []),
  ];
}

const totesText = (totes: number): string => countOf(totes, 'tote');

function holdText(vehicles: readonly Vehicle[]): string {
  const [only] = vehicles;
  return only && vehicles.length === 1
    ? `${only.name} holds ${formatNumber(only.capacityTotes ?? 0)}`
    : 'more than any vehicle holds';
}

type Sum = Pick<Means, 'vehicles' | 'isOneOf'> & { needed: number; room: number };

function sumText({ needed, room, vehicles, isOneOf }: Sum): string {
  const stops = `The stops need about ${totesText(needed)}`;
  if (vehicles.length === 1)
    return `${stops}; ${holdText(vehicles)}. ${isOneOf ? 'Choose fewer stops.' : 'Some may be left out.'}`;
  if (isOneOf)
    return `${stops}; no vehicle holds more than ${formatNumber(room)}. Choose fewer stops, or plan the day.`;
  return `${stops}; the vehicles hold ${formatNumber(room)} together. Some may be left out.`;
}

/** What Route Planning makes a plan with: the vehicle that is chosen, else any of them. */
export function meansOf(choices: Choices | undefined, { vehicleId }: PlanTerms, depots: readonly Point[]): Means {
  const all = choices?.vehicles ?? [];
  const chosen = all.filter(({ id }) => id === vehicleId);
  const isChosen = chosen.length > 0;
  return {
    ...{ depots, vehicles: isChosen ? chosen : all, isOneOf: !isChosen },
    lacks: choices ? lacksOf(choices) : [],
  };
}

function lacksOf({ drivers, depots }: Choices): string[] {
  return [
    ...(drivers.length === 0 ? ['Nobody can drive a route yet: add people with the role Field Operator.'] : []),
    ...(depots.length === 0 ? ['No depot is set up: the route begins at its first stop. Add one in Settings.'] : []),
  ];
}
