import { type Slowed, slowMatrix } from '../../domain/incident-effect.ts';
import type { Point } from '../../domain/location.ts';
import type { TravelMatrix } from '../roads/service.ts';
import type { Incidents } from '../route-planning/service.ts';

type Shift = readonly [from: number, until: number];

/** What the roads take while one crew drives; crews that meet the same incidents share it. */
export type CrewTravel = Slowed<TravelMatrix> & {
  /** Name of the matrix for the solver. */
  profile: string;
};

export type Traffic = {
  /** By crew, in the order of the plan. */
  travel: CrewTravel[];
  /** Equal when nothing that slows the crews has changed. */
  signature: string;
};

type Ground = { matrix: TravelMatrix; points: readonly Point[]; midnight: Date; shifts: readonly Shift[] };

/** The travel of each crew with the incidents that overlap its shift, in seconds since `midnight`. */
export function trafficOf(ground: Ground, incidents: Incidents, before?: Traffic): Traffic {
  const at = (seconds: number): Date => new Date(ground.midnight.getTime() + seconds * 1000);
  const met = ground.shifts.map(([from, until]) => incidents.between(at(from), at(until)));
  const signature = JSON.stringify([met, incidents.settings]);
  if (before?.signature === signature) return before;
  const made = new Map<string, CrewTravel>();
  const travel = met.map((circles) => {
    const profile = ['car', ...circles.map(({ id }) => id)].join('-');
    const known = made.get(profile);
    if (known) return known;
    const slowed = slowMatrix(ground.matrix, ground.points, { circles, settings: incidents.settings });
    const one = { ...slowed, profile };
    made.set(profile, one);
    return one;
  });
  return { travel, signature };
}
