// @vitest-environment happy-dom
import 'fake-indexeddb/auto';
import '../../ui/testing.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { queueProgress } from '../../offline/day/progress.ts';
import { buildChanges, buildMachine } from '../../offline/testing/sample-changes.ts';
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
  const more = await screen.findByRole('button', { name: 'Show more: 70 changes left' });
  const rows = () => within(screen.getByRole('list', { name: 'Pending changes' })).getAllByRole('listitem');
  expect(rows()).toHaveLength(50);
  expect(rows()[0]?.textContent).toContain('Not yours.');
  await user.click(more);
  await user.click(screen.getByRole('button', { name: 'Show more: 20 changes left' }));
  expect(rows()).toHaveLength(120);
});
