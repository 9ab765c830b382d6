import type { Job, Problem, Vehicle } from '../../optimizer/index.ts';

/** Numbers in [0, 1), the same in every run (Park & Miller 1988). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const shift = [8 * 3600, 17 * 3600] as const;
const windowSeconds = 2 * 3600;
const serviceSeconds = 420;
/** A square town and the pace in it. */
const townKm = 30;
const secondsPerKm = 90;

/** A day's stops in a town: half of them around a few centres, some with windows of two hours, drivers who share the load. */
export function dayProblem({ stops, drivers, windows }: { stops: number; drivers: number; windows: boolean }): Problem {
  const random = seeded(stops + drivers);
  const centres = Array.from({ length: 8 }, () => [random() * townKm, random() * townKm] as const);
  const places = Array.from({ length: stops + 1 }, (_, at) => {
    const [x, y] = centres[at % (2 * centres.length)] ?? [random() * townKm, random() * townKm];
    return [x + 3 * random(), y + 3 * random()] as const;
  });
  const kilometres = places.map(([x, y]) => places.map(([u, v]) => 1.3 * Math.hypot(x - u, y - v)));
  const jobs = Array.from({ length: stops }, (_, at): Job => {
    const from = shift[0] + Math.floor(random() * (shift[1] - shift[0] - windowSeconds));
    const job = {
      id: at + 1,
      location_index: at + 1,
      service: serviceSeconds,
      delivery: [1 + Math.floor(random() * 4)],
    };
    return windows ? { ...job, time_windows: [[from, from + windowSeconds]] } : job;
  });
  const load = jobs.reduce((sum, job) => sum + (job.delivery?.[0] ?? 0), 0);
  const capacity = [Math.ceil((1.15 * load) / drivers)];
  const vehicles = Array.from(
    { length: drivers },
    (_, at): Vehicle => ({ id: at + 1, start_index: 0, end_index: 0, capacity, time_window: shift }),
  );
  const durations = kilometres.map((row) => row.map((km) => Math.round(km * secondsPerKm)));
  const distances = kilometres.map((row) => row.map((km) => Math.round(km * 1000)));
  return { jobs, vehicles, matrices: { car: { durations, distances } } };
}
