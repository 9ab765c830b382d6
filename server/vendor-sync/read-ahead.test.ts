import { expect, it } from 'vitest';
import type { PullPage } from '../../connectors/connector.ts';
import type { VendorBatch } from '../../domain/integration.ts';
import { readAhead } from './read-ahead.ts';

/** A partner with ten pages; where the next one begins is told at once, what is on it when a test lets it come. */
function partner({ failsAt = -1 } = {}) {
  const asked: unknown[] = [];
  const come = new Map<number, () => void>();
  const ask = async (cursor: unknown): Promise<PullPage> => {
    asked.push(cursor);
    const at = Number(cursor);
    if (at === failsAt) throw new Error(`page ${at} fails`);
    const batch = new Promise<VendorBatch>((resolve) => come.set(at, () => resolve({ devices: [] })));
    return { batch, cursor: at + 1, more: at < 9 };
  };
  return { asked, ask, come: (at: number) => come.get(at)?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('pages are asked for while earlier ones are on their way, never more than four, and taken in their order', async () => {
  const { asked, ask, come } = partner();
  const next = readAhead(ask, 0);
  await settled();
  expect(asked).toEqual([0, 1, 2, 3]);
  come(1);
  const first = next();
  await settled();
  expect(asked).toEqual([0, 1, 2, 3, 4]);
  expect(await Promise.race([first, settled().then(() => 'not yet')])).toBe('not yet');
  come(0);
  expect(await first).toEqual({ from: 0, batch: { devices: [] }, cursor: 1, more: true });
  expect(await next()).toMatchObject({ from: 1, cursor: 2 });
  for (let at = 2; at < 10; at += 1) {
    const page = next();
    await settled();
    come(at);
    expect(await page).toMatchObject({ from: at, more: at < 9 });
  }
  expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('a failure is met where its page is taken, and nothing is asked for behind it', async () => {
  const { asked, ask, come } = partner({ failsAt: 2 });
  const next = readAhead(ask, 0);
  await settled();
  come(0);
  come(1);
  expect(await next()).toMatchObject({ from: 0 });
  expect(await next()).toMatchObject({ from: 1 });
  await expect(next()).rejects.toThrow('page 2 fails');
  expect(asked).toEqual([0, 1, 2]);
});
