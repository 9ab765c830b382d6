import { describe, expect, it } from 'vitest';
import { gather } from './gather.ts';

type Job = { name: string; weight?: number; names?: string[] };

/** Work that is under way until it is let go, and what was worked on together so far. */
function workshop(most = 100) {
  const rounds: string[][] = [];
  const open: { finish: () => void; fail: (error: unknown) => void }[] = [];
  const arrivals: (() => void)[] = [];
  const { take, underWay } = gather<Job, string>({
    most,
    weightOf: ({ weight = 1 }) => weight,
    namesOf: ({ names = [] }) => names,
    work: (together) =>
      new Promise((resolve, reject) => {
        rounds.push(together.map(({ name }) => name));
        open.push({ finish: () => resolve(together.map(({ name }) => `${name}!`)), fail: reject });
        arrivals.shift()?.();
      }),
    concernsAll: (error) => error === 'away',
  });
  const nextRound = async () => {
    if (open.length === 0) await new Promise<void>((resolve) => arrivals.push(resolve));
    return open.shift();
  };
  const finish = async () => (await nextRound())?.finish();
  const fail = async (error: unknown) => (await nextRound())?.fail(error);
  return { take, underWay, rounds, finish, fail };
}

describe('gather', () => {
  it('does together what came while others were worked on, and gives each its own answer', async () => {
    const { take, rounds, finish } = workshop();
    const first = take({ name: 'a' });
    await finish();
    expect(await first).toBe('a!');
    const second = take({ name: 'b' });
    const third = take({ name: 'c' });
    await finish();
    expect(await Promise.all([second, third])).toEqual(['b!', 'c!']);
    expect(rounds).toEqual([['a'], ['b', 'c']]);
  });

  it('tells when what is worked on now is done', async () => {
    const { take, underWay, finish } = workshop();
    await underWay();
    let isDone = false;
    const one = take({ name: 'a' }).then(() => {
      isDone = true;
    });
    const done = underWay();
    await finish();
    await done;
    await one;
    expect(isDone).toBe(true);
  });

  it('takes no more together than the most, and one that is heavier alone', async () => {
    const { take, rounds, finish } = workshop(10);
    const all = [
      take({ name: 'a', weight: 6 }),
      take({ name: 'b', weight: 30 }),
      take({ name: 'c', weight: 4 }),
      take({ name: 'd', weight: 1 }),
    ];
    for (let round = 0; round < 3; round++) await finish();
    expect(await Promise.all(all)).toEqual(['a!', 'b!', 'c!', 'd!']);
    expect(rounds).toEqual([['a', 'c'], ['b'], ['d']]);
  });

  it('keeps the order of those that share a name', async () => {
    const { take, rounds, finish } = workshop(2);
    const all = [
      take({ name: 'phone 1', names: ['1'] }),
      take({ name: 'phone 1 again', names: ['1'], weight: 2 }),
      take({ name: 'phone 1 once more', names: ['1'] }),
      take({ name: 'phone 2', names: ['2'] }),
    ];
    for (let round = 0; round < 3; round++) await finish();
    await Promise.all(all);
    expect(rounds).toEqual([['phone 1', 'phone 2'], ['phone 1 again'], ['phone 1 once more']]);
  });

  it('tries one by one what failed together, so that only the one at fault fails', async () => {
    const { take, rounds, finish, fail } = workshop();
    const all = Promise.allSettled([take({ name: 'a' }), take({ name: 'bad' }), take({ name: 'c' })]);
    await fail('a mistake');
    await finish();
    await fail('a mistake');
    await finish();
    expect(await all).toEqual([
      { status: 'fulfilled', value: 'a!' },
      { status: 'rejected', reason: 'a mistake' },
      { status: 'fulfilled', value: 'c!' },
    ]);
    expect(rounds).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('fails all at once where trying again would fail as well, and serves whoever comes next', async () => {
    const { take, rounds, finish, fail } = workshop();
    const all = Promise.allSettled([take({ name: 'a' }), take({ name: 'b' })]);
    await fail('away');
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const later = take({ name: 'c' });
    await finish();
    expect(await later).toBe('c!');
    expect(rounds).toEqual([['a', 'b'], ['c']]);
  });
});
