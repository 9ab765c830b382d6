/** Random problems of every kind for the laws: windows, skills, mixed loads, breaks, limits, reloads, asymmetric legs, pairs without a way. */
import type { Job, Problem, TimeWindow, Vehicle } from '../problem.ts';
import { Random } from '../random.ts';

interface Traits {
  stops: number;
  vehicles: number;
  windows: boolean;
  loads: boolean;
  breaks: boolean;
  limits: boolean;
  skills: boolean;
  prizes: boolean;
  gaps: boolean;
  openEnds: boolean;
  rates: boolean;
  reloads: boolean;
}

const SHIFT: TimeWindow = [1000, 30_000];

function jobOf(random: Random, traits: Traits, index: number): Job {
  const from = 1000 + random.below(20_000);
  const windows: TimeWindow[] = [[from, from + random.below(6000)]];
  if (random.below(3) === 0) windows.push([from + 8000, from + 9000]);
  const isMixed = random.below(4) === 0;
  return {
    id: `stop ${index}`,
    // Some stops share a place, so that setups depend on the order.
    location_index: 1 + (random.below(5) === 0 ? random.below(traits.stops) : index),
    setup: random.below(3) === 0 ? random.below(300) : 0,
    service: random.below(600),
    ...(traits.windows && random.below(2) === 0 ? { time_windows: windows } : {}),
    ...(traits.loads ? { delivery: [random.below(8), random.below(4)] } : {}),
    ...(traits.loads && isMixed ? { pickup: [random.below(8), 0] } : {}),
    ...(traits.skills && random.below(5) === 0 ? { skills: [1 + random.below(2)] } : {}),
    ...(traits.prizes && random.below(2) === 0 ? { prize: random.below(3000) } : {}),
    priority: random.below(101),
  };
}

function vehicleOf(random: Random, traits: Traits, index: number): Vehicle {
  const isOpen = traits.openEnds && random.below(2) === 0;
  return {
    id: index + 1,
    ...(isOpen && random.below(2) === 0 ? {} : { start_index: 0 }),
    ...(isOpen ? {} : { end_index: 0 }),
    ...(traits.windows ? { time_window: SHIFT } : {}),
    ...(traits.loads ? { capacity: [10 + random.below(20), 15] } : {}),
    ...(traits.skills ? { skills: random.below(2) === 0 ? [1, 2] : [2] } : {}),
    ...(traits.breaks ? { breaks: [{ id: 'lunch', time_windows: [[9000, 12_000]], service: 1800 }] } : {}),
    ...(traits.limits ? { max_tasks: 3 + random.below(6), max_travel_time: 4000 + random.below(9000) } : {}),
    ...(traits.limits && random.below(2) === 0 ? { max_distance: 60_000 } : {}),
    ...(traits.rates ? { costs: { fixed: random.below(500), per_hour: 20 + random.below(9), per_km: 0.3 } } : {}),
    ...(traits.rates ? { speed_factor: 1 + random.below(3) / 4 } : {}),
    ...(traits.reloads && random.below(3) > 0
      ? { reload: { location_index: 0, service: random.below(600), max: random.below(4) } }
      : {}),
  };
}

/** A problem with these traits; the same seed gives the same problem. */
export function buildProblem(traits: Traits, seed: number): Problem {
  const random = new Random(seed);
  const places = traits.stops + 1;
  const points = Array.from({ length: places }, () => [random.below(3000), random.below(3000)] as const);
  const seconds = points.map(([x, y], from) =>
    points.map(([otherX, otherY], to) => {
      if (traits.gaps && from !== to && random.below(25) === 0) return null;
      const straight = Math.hypot(x - otherX, y - otherY);
      return from === to ? 0 : Math.round(straight * (1 + random.below(20) / 100));
    }),
  );
  const metres = seconds.map((row) => row.map((entry) => (entry === null ? null : entry * 10)));
  return {
    jobs: Array.from({ length: traits.stops }, (_, index) => jobOf(random, traits, index)),
    vehicles: Array.from({ length: traits.vehicles }, (_, index) => vehicleOf(random, traits, index)),
    matrices: { car: { durations: seconds, distances: metres } },
  };
}

/** A problem of any kind: its traits, too, are drawn from the seed. */
export function anyProblem(seed: number): Problem {
  const random = new Random(seed);
  const isOn = () => random.below(2) === 0;
  const traits = {
    stops: random.below(26),
    vehicles: 1 + random.below(5),
    windows: isOn(),
    loads: isOn(),
    breaks: isOn(),
    limits: isOn(),
    skills: isOn(),
    prizes: isOn(),
    gaps: isOn(),
    openEnds: isOn(),
    rates: isOn(),
    reloads: isOn(),
  };
  return buildProblem(traits, seed);
}

/** The plainest problem: stops at random points, vehicles without limits. */
export const PLAIN: Traits = {
  stops: 20,
  vehicles: 1,
  windows: false,
  loads: false,
  breaks: false,
  limits: false,
  skills: false,
  prizes: false,
  gaps: false,
  openEnds: false,
  rates: false,
  reloads: false,
};

/** Vehicles that are all alike, for stops with amounts, with a window each if wished. */
export function alikeProblem(stops: number, seed: number, windows: boolean): Problem {
  const problem = buildProblem({ ...PLAIN, stops, vehicles: 1, loads: true, windows }, seed);
  const [vehicle] = problem.vehicles;
  const jobs = problem.jobs.map((job) => ({
    ...job,
    setup: 0,
    pickup: [0, 0],
    time_windows: job.time_windows?.slice(0, 1),
  }));
  const vehicles = Array.from({ length: 40 }, (_, id) => ({ ...vehicle, id: id + 1, capacity: [40, 30] }));
  return { ...problem, jobs, vehicles };
}
