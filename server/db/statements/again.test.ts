import { expect, it } from 'vitest';
import { againOnConflict, againOnDeadlock } from './again.ts';

/** Fails as often as said, with the code where drivers put it. */
function failing(times: number, code: string) {
  let calls = 0;
  const work = async (): Promise<number> => {
    calls += 1;
    if (calls <= times) throw new Error('failed', { cause: Object.assign(new Error('in the database'), { code }) });
    return calls;
  };
  return { work, calls: () => calls };
}

it.each(['40P01', '40001'])('a transaction that another one was in the way of (%s) is done again', async (code) => {
  await expect(againOnDeadlock(failing(2, code).work)).resolves.toBe(3);
  await expect(againOnConflict(failing(2, code).work)).resolves.toBe(3);
});

it('not for ever', async () => {
  const { work, calls } = failing(9, '40P01');
  await expect(againOnDeadlock(work)).rejects.toThrow('failed');
  expect(calls()).toBe(5);
});

it('another failure is thrown on at once', async () => {
  const { work, calls } = failing(1, '23505');
  await expect(againOnDeadlock(work)).rejects.toThrow('failed');
  expect(calls()).toBe(1);
});

it('records that somebody else stored meanwhile are looked at again only where that is asked for', async () => {
  await expect(againOnConflict(failing(1, 'conflict').work)).resolves.toBe(2);
  await expect(againOnDeadlock(failing(1, 'conflict').work)).rejects.toThrow('failed');
});
