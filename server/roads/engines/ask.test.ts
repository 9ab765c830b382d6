import { expect, it } from 'vitest';
import { ask } from './ask.ts';

/** How often an engine is asked that fails in this way each time. */
async function triesOf(failure: Error): Promise<number> {
  let tries = 0;
  const fails = async () => {
    tries += 1;
    throw failure;
  };
  const io = { fetch: fails, wait: async () => undefined, random: () => 0.5 };
  await expect(ask(io, { method: 'GET', url: 'http://roads.example/table' })).rejects.toThrow('the engine');
  return tries;
}

it('an engine that cannot be reached is asked again; one that kept somebody waiting is not', async () => {
  expect(await triesOf(new TypeError('fetch failed'))).toBe(3);
  expect(await triesOf(new DOMException('timed out', 'TimeoutError'))).toBe(1);
});
