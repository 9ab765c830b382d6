import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { Problem } from '../../optimizer/index.ts';
import type { SolverPool } from '../../server/deps.ts';
import type { Running } from '../../server/start.ts';
import { compare, table } from '../measure.ts';
import { signedIn } from '../signed-in.ts';
import { dayProblem } from '../solver/day-problems.ts';

const nsPerMs = 1e6;
/** How many times later a call may come while days are planned. */
const goalRatio = 2;
const cancels = 12;

type Endless = { first: Promise<void>; stop: () => Promise<void> };

/** A solve that goes on until it is stopped; `first`: its first plan stands. */
function endless(solver: SolverPool, problem: Problem): Endless {
  const signal = new AbortController();
  let stands = (): void => {};
  const first = new Promise<void>((resolve) => {
    stands = resolve;
  });
  const options = { timeLimitMs: 3_600_000, signal: signal.signal, onProgress: () => stands() };
  const done = solver.solve(problem, options);
  return {
    first,
    stop: async () => {
      signal.abort();
      await done;
    },
  };
}

/** Calls of others while the solver rests and while it plans two days, in turn; whether they come in time then. */
async function othersCalls({ deps, address }: Running, say: (line: string) => void): Promise<boolean> {
  const cookie = await signedIn(deps);
  const call = async () => {
    const reply = await fetch(`${address}/api/vending-machines?route=101`, { headers: { cookie } });
    if (!reply.ok) throw new Error(`the machines answered ${reply.status}`);
    await reply.arrayBuffer();
  };
  // One plan each, so that both threads are taken.
  const problems = [1, 2].map((drivers) => dayProblem({ stops: 300, drivers: 10 + drivers, windows: true }));
  let running: Endless[] = [];
  const contenders = [
    { name: 'while the solver rests', call },
    {
      name: 'while two days are planned',
      call,
      before: async () => {
        running = problems.map((problem) => endless(deps.solver, problem));
      },
      after: async () => {
        await Promise.all(running.map((one) => one.stop()));
      },
    },
  ];
  const costs = await compare(contenders, { rounds: 5, calls: 120 });
  const [idle, busy] = costs;
  const ratio = (busy?.p99Ms ?? 0) / (idle?.p99Ms ?? 1);
  say(table("Calls of others (CPU includes the solver's)", contenders, costs));
  say(`  p99 x${ratio.toFixed(2)} (goal x${goalRatio} on a quiet machine)`);
  return ratio <= goalRatio;
}

/** The longest time the request thread did nothing else, in milliseconds. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  delay.enable();
  await work();
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.disable();
  return delay.max / nsPerMs;
}

/**
 * Handing 1,000 stops to the solver and taking its answer, against nothing at all while as many threads compute, and against sending the
 * problem as a message as it is.
 */
async function stalls({ deps }: Running): Promise<string> {
  const problem = dayProblem({ stops: 1000, drivers: 40, windows: false });
  const bare = new Worker('require("node:worker_threads").parentPort.on("message", () => {})', { eval: true });
  const post = async () => bare.postMessage(problem);
  const solve = () => deps.solver.solve(problem, { timeLimitMs: 1500 });
  await solve();
  const running = endless(deps.solver, problem);
  await running.first;
  const besides = await longestStall(() => new Promise((resolve) => setTimeout(resolve, 1500)));
  await running.stop();
  const [whole, ours] = [await longestStall(post), await longestStall(solve)];
  await bare.terminate();
  return `Longest stall of the request thread, 1,000 stops
  solver busy, nothing handed over ${besides.toFixed(1)} ms   through the solver ${ours.toFixed(1)} ms   x${(ours / besides).toFixed(2)}   as one message ${whole.toFixed(1)} ms`;
}

/** From the first plan's report, and from a cancel to the answer. */
async function answerTimes({ deps }: Running): Promise<string> {
  const lines: string[] = [];
  for (const day of [
    { stops: 100, drivers: 8, windows: true },
    { stops: 1000, drivers: 40, windows: false },
  ]) {
    const problem = dayProblem(day);
    const firsts: number[] = [];
    const waits: number[] = [];
    for (let turn = 0; turn < cancels; turn++) {
      const startedAt = performance.now();
      const running = endless(deps.solver, problem);
      await running.first;
      firsts.push(performance.now() - startedAt);
      // Cancelled in another stage of the search each time.
      await new Promise((resolve) => setTimeout(resolve, 40 * turn));
      const askedAt = performance.now();
      await running.stop();
      waits.push(performance.now() - askedAt);
    }
    const sorted = (values: number[]) => [...values].sort((a, b) => a - b);
    const middle = (values: number[]) => (sorted(values)[values.length >> 1] ?? 0).toFixed(0);
    const most = (values: number[]) => (sorted(values).at(-1) ?? 0).toFixed(0);
    lines.push(
      `  ${day.stops} stops: first plan after ${middle(firsts)} ms (most ${most(firsts)}); from cancel to answer ${middle(waits)} ms (most ${most(waits)})`,
    );
  }
  return `Answers of the solver, wall clock\n${lines.join('\n')}`;
}

/** Returns whether the calls of others come in time. */
export async function busyServer(running: Running, say: (line: string) => void): Promise<boolean> {
  const isInTime = await othersCalls(running, say);
  say(await stalls(running));
  say(await answerTimes(running));
  return isInTime;
}
