import { expect, it, vi } from 'vitest';
import { listStock } from '../../offline/kept/reads.ts';
import { createOffline } from '../../offline/offline.ts';
import { rememberSession } from '../../offline/session.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../../offline/testing/fake-phone.ts';
import { buildChanges, buildMachine, buildMarket, buildSlot } from '../../offline/testing/sample-changes.ts';
import { readAhead, stockAhead } from './stock-ahead.ts';

const ref = { type: 'vending_machine', id: 1 } as const;

it('rows read ahead are those of the phone, and forgotten when the phone has others', async () => {
  let quantity = 3;
  const changes = () =>
    buildChanges({
      reset: true,
      markets: [buildMarket()],
      machines: [buildMachine()],
      slots: [buildSlot({ id: 1, currentQuantity: quantity })],
    });
  const transport = async () => ({ outcome: 'answered', body: changes() }) as const;
  const offline = createOffline(fakeEnvironment(new FakeClock(), transport, 'ahead'));
  await rememberSession(offline, buildSession(1));
  await offline.refresh();
  expect(stockAhead(offline, ref)).toBeUndefined();
  await vi.waitFor(
    () => {
      // Again, should the phone have taken in something meanwhile.
      readAhead(offline, [ref]);
      expect(stockAhead(offline, ref)).toBeDefined();
    },
    { timeout: 30_000 },
  );
  expect(stockAhead(offline, ref)).toEqual(await listStock(offline, ref));
  quantity = 7;
  await offline.refresh();
  expect(stockAhead(offline, ref)).toBeUndefined();
});
