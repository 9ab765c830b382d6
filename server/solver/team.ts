import {
  type InitialRoute,
  type Problem,
  type Share,
  type Solution,
  type Standings,
  Team,
} from '../../optimizer/index.ts';
import type { SolveOptions } from '../deps.ts';

/** One worker, wherever it runs. Every answer comes within the time given, or soon after the task is cancelled. */
export type Hand = {
  first: (options: { seed?: number; initial?: readonly InitialRoute[] }) => Promise<Standings & { leg: number }>;
  improve: (share: Share, timeLimitMs: number) => Promise<Standings>;
  finish: (routes: readonly InitialRoute[], timeLimitMs: number, iterations: number) => Promise<Solution>;
};

/** Between two cuts, which part neighbours otherwise for too long; and between two exchanges of whole plans, which make searches alike. */
const cutMs = 200;
const exchangeMs = 600;
const fewestRounds = 4;
/** Kept for the polish and the answer. */
const finishShare = 0.03;
const fewestStops = 50;
const shortestMs = 1000;

/** Whether a second worker is worth its start. One route alone is searched faster by one. */
export function isTeamwork(problem: Problem, timeLimitMs: number): boolean {
  return problem.vehicles.length > 1 && problem.jobs.length >= fewestStops && timeLimitMs >= shortestMs;
}

type Job = { problem: Problem; options: Omit<SolveOptions, 'signal'>; isCancelled: () => boolean; startedAt: number };

/** Solves one problem with several workers, round by round. */
export async function solveTogether(hands: readonly Hand[], job: Job): Promise<Solution> {
  const { problem, options, isCancelled, startedAt } = job;
  const [lead] = hands;
  if (!lead) throw new RangeError('there is nobody to solve it');
  const elapsedMs = () => performance.now() - startedAt;
  const team = new Team(problem, { seed: options.seed, size: hands.length });
  team.start(await lead.first({ seed: options.seed, initial: options.initial }));
  const report = () =>
    options.onProgress?.({ cost: team.best.cost, elapsedMs: elapsedMs(), iterations: team.iterations });
  report();
  const begun = elapsedMs();
  const until = options.timeLimitMs * (1 - finishShare);
  const sliceOf = (ms: number) => Math.max(1, until - begun) / Math.max(fewestRounds, Math.round((until - begun) / ms));
  const cooled = (time: number) => Math.min(1, Math.max(0, (time - begun) / Math.max(1, until - begun)));
  while (elapsedMs() < until - 1 && !isCancelled()) {
    const now = elapsedMs();
    const slice = sliceOf(team.cutsNext ? cutMs : exchangeMs);
    const shares = team.shares([cooled(now), cooled(now + slice)]);
    const known = team.best.cost;
    const timeLimitMs = Math.min(slice, until - now);
    const results = await allOf(shares.map((share, at) => (hands[at] ?? lead).improve(share, timeLimitMs)));
    team.take(results, cooled(elapsedMs()));
    if (team.best.cost < known) report();
  }
  const left = Math.max(1, options.timeLimitMs - elapsedMs());
  return await lead.finish(team.best.routes, isCancelled() ? 0 : left, team.iterations);
}

/** Waits for all, so that no worker is still busy when one has failed. */
export async function allOf<T>(pending: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(pending);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
