import type { Slowed } from '../../domain/incident-effect.ts';
import type { Point } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import type { Roads } from '../deps.ts';
import type { TravelMatrix } from '../roads/service.ts';
import { type Around, type Incidents, matrixAround, nearTo, slowAround } from '../route-planning/service.ts';

type Shift = readonly [from: number, until: number];

/** What the roads take while one crew drives; crews that meet the same incidents share it. */
export type CrewTravel = Slowed<TravelMatrix> & {
  /** Name of the matrix for the solver. */
  profile: string;
  /** Before incidents slow it. */
  around: Around;
  /** Whether an incident lies where the crew may drive. */
  isMet: boolean;
};

export type Traffic = {
  /** By crew, in the order of the plan. */
  travel: CrewTravel[];
  /** Equal when nothing that slows the crews has changed. */
  signature: string;
};

type Ground = {
  db: Db;
  roads: Roads;
  matrix: TravelMatrix;
  points: readonly Point[];
  midnight: Date;
  shifts: readonly Shift[];
};

/** The travel of each crew around closed roads and with the incidents that overlap its shift, in seconds since `midnight`. */
export async function trafficOf(ground: Ground, incidents: Incidents, before?: Traffic): Promise<Traffic> {
  const at = (seconds: number): Date => new Date(ground.midnight.getTime() + seconds * 1000);
  const met = ground.shifts.map(([from, until]) => incidents.between({ from: at(from), until: at(until) }));
  const signature = JSON.stringify([met, incidents.settings]);
  if (before?.signature === signature) return before;
  const made = new Map<string, CrewTravel>();
  const travel: CrewTravel[] = [];
  for (const circles of met) {
    const profile = ['car', ...circles.map(({ id }) => id)].join('-');
    const one = made.get(profile) ?? { ...(await slowedTravel(ground, circles, incidents)), profile };
    made.set(profile, one);
    travel.push(one);
  }
  return { travel, signature };
}

type Circles = ReturnType<Incidents['between']>;

/** Only where a road is closed the engine is asked again. */
async function slowedTravel({ db, roads, matrix, points }: Ground, circles: Circles, { settings, all }: Incidents) {
  const isClosed = circles.some(({ closed }) => closed);
  const around = isClosed ? await matrixAround(roads, points, circles) : { matrix, driven: null };
  const left = circles.filter(({ id }) => !around.driven?.ids.has(id));
  const lines = await roads.knownLines(db, points, left);
  return {
    ...slowAround({ ...around, points }, { circles: left, all, settings, lines }),
    around,
    isMet: left.some(nearTo(points)),
  };
}
