// @vitest-environment happy-dom
import '../../ui/testing.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { queueProgress } from '../../offline/day/progress.ts';
import { buildChanges, buildItem, buildMachine, buildMarket } from '../../offline/testing/sample-changes.ts';
import { startPhone, stopPhones } from '../testing/field-phone.tsx';

const user = userEvent.setup();
afterEach(stopPhones);

test('of very many unsent changes a page is drawn, what needs an answer first', async () => {
  const phone = await startPhone(buildChanges({ machines: [buildMachine({ id: 1 })] }));
  phone.goOffline();
  const steps = Array.from({ length: 120 }, (_, n) => ({
    type: 'stop-skipped' as const,
    routeId: 1,
    stopId: n + 1,
    reason: 'Closed',
  }));
  await queueProgress(phone.offline.store, phone.offline.environment, { steps });
  await phone.offline.store.write(['outbox'], async (tx) => {
    const last = (await tx.objectStore('outbox').getAll()).at(-1);
    if (last) await tx.objectStore('outbox').put({ ...last, status: 'refused', reason: 'Not yours.' });
  });
  await phone.open();
  await user.click(await screen.findByRole('button', { name: /Pending changes/ }));
  const more = await screen.findByRole('button', { name: 'Show 50 more' });
  const rows = () => within(screen.getByRole('list', { name: 'Pending changes' })).getAllByRole('listitem');
  expect(rows()).toHaveLength(50);
  expect(rows()[0]?.textContent).toContain('Not yours.');
  await user.click(more);
  await user.click(screen.getByRole('button', { name: 'Show 20 more' }));
  expect(rows()).toHaveLength(120);
});

test('what was counted and noted at a place that left the phone is still saved and sent', async () => {
  const phone = await startPhone(
    buildChanges({ reset: true, markets: [buildMarket()], items: [buildItem()] }),
    '?type=market&id=1',
  );
  await user.click(await screen.findByRole('button', { name: 'One less of Water' }));
  await screen.findByRole('button', { name: 'Save Changes' });
  fireEvent.change(await screen.findByLabelText('Cash bag number'), { target: { value: 'BAG-7' } });
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  await phone.offline.refresh();
  phone.changes = buildChanges({
    removed: [
      { kind: 'market', id: 1 },
      { kind: 'market_item', id: 1 },
    ],
  });
  await phone.offline.refresh();
  await user.click(await screen.findByRole('button', { name: /Pending changes/ }));
  await user.click(await screen.findByRole('button', { name: 'Open to save' }));
  expect(await screen.findByText(/What you counted is kept/)).toBeDefined();
  await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
  await waitFor(async () => expect(await phone.stockEntries()).toHaveLength(1));
  expect((await screen.findByLabelText<HTMLInputElement>('Cash bag number')).value).toBe('BAG-7');
  await user.click(await screen.findByRole('button', { name: 'Finish visit' }));
  await waitFor(async () => {
    const entries = await phone.offline.store.read(['outbox'], (tx) => tx.objectStore('outbox').getAll());
    const visit = entries.findLast((entry) => entry.type === 'visit');
    expect(visit).toMatchObject({ event: { bagNumber: 'BAG-7', closedAtClient: expect.any(String) } });
  });
});
