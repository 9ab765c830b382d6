import { check, type Problem, solve } from '../../optimizer/index.ts';
import { dayProblem } from './day-problems.ts';

/** Milliseconds of processor time: what else the machine does counts little. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

type Found = { cost: number; missing: number; firstMs: number };

function within(problem: Problem, seconds: number): Found {
  const startedAt = cpuMs();
  let firstMs = Number.NaN;
  const onProgress = () => {
    if (Number.isNaN(firstMs)) firstMs = cpuMs() - startedAt;
  };
  const solution = solve(problem, { timeLimitMs: seconds * 1000, now: cpuMs, onProgress });
  const broken = check(problem, solution);
  if (broken.length) throw new Error(`the checker refuses the plan: ${broken.join('; ')}`);
  return { cost: solution.summary.cost, missing: solution.unassigned.length, firstMs };
}

const days = [
  { name: '100 stops with windows', problem: { stops: 100, drivers: 8, windows: true }, seconds: 2, longSeconds: 20 },
  {
    name: '1,000 stops, 40 drivers',
    problem: { stops: 1000, drivers: 40, windows: false },
    seconds: 10,
    longSeconds: 60,
  },
];

/** How soon a day's plan stands and how good it is then, against a search of the same run that takes several times as long. */
export function planTimes(say: (line: string) => void): void {
  say('Plans of a day, in processor time');
  for (const { name, problem, seconds, longSeconds } of days) {
    const day = dayProblem(problem);
    // The first run of a program pays for its compilation, like that of a worker's first task.
    const cold = within(day, 0.01);
    const short = within(day, seconds);
    const long = within(day, longSeconds);
    const ratio = (short.cost / long.cost).toFixed(4);
    say(
      `  ${name.padEnd(26)} first plan ${cold.firstMs.toFixed(0)} ms cold, ${short.firstMs.toFixed(0)} ms warm; cost after ${seconds} s ${short.cost}, after ${longSeconds} s ${long.cost}: x${ratio}; left out ${short.missing} / ${long.missing}`,
    );
  }
}
