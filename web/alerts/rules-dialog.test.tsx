// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AlertRules } from '../../contract/alerts.ts';
import type { Session } from '../../contract/auth.ts';
import { usualAlertSettings } from '../../domain/alert-rules.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { RulesDialog } from './rules-dialog.tsx';

const user = userEvent.setup();
const sentence = 'The alert rules were changed by Cy Dee in the meantime. Look at what changed, then save again.';

let held: AlertRules;
let saved: (string | null)[];
const closed = vi.fn();

/** The server: it refuses a change of an older version. */
beforeEach(() => {
  closed.mockClear();
  held = { ...structuredClone(usualAlertSettings), version: 1 };
  saved = [];
  vi.stubGlobal('fetch', async (_input: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    if (method === 'GET') return Response.json(held);
    const version = new Headers(headers).get('if-match');
    saved.push(version);
    if (version !== `"${held.version}"`)
      return Response.json({ detail: sentence, fields: { version: sentence } }, { status: 409 });
    held = { ...(JSON.parse(String(body)) as AlertRules), version: held.version + 1 };
    return Response.json(held);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The rules as they are opened; meanwhile somebody else changes three things, then this person saves two. */
async function saveSecond(): Promise<void> {
  const session = { person: { id: 1, role: 'route_manager' }, operator: { currency: 'USD' } } as unknown as Session;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <RulesDialog onClose={closed} />
      </SessionContext>
    </QueryClientProvider>,
  );
  fireEvent.change(await screen.findByLabelText('After hours'), { target: { value: '48' } });
  await user.click(screen.getByRole('checkbox', { name: 'Products expire' }));
  held = structuredClone(held);
  held.rules.silent.limit = 12;
  held.rules.low_stock.severity = 'high';
  held.digest = { enabled: true, hour: 9 };
  held.version = 2;
  await user.click(screen.getByRole('button', { name: 'Save Rules' }));
}

test('rules that somebody else changed meanwhile: what is typed stays, theirs is shown, and is saved over', async () => {
  await saveSecond();
  const told = await screen.findByRole('alert');
  expect([...told.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    "Severity: Slots are low: 'Low' is now 'High'. Taken over here.",
    "A machine is silent, after hours: '24' is now '12'. Yours is kept: '48'.Take theirs",
    "Daily letter: 'Off' is now 'On'. Taken over here.",
    "Daily letter, from: '6:00 AM' is now '9:00 AM'. Taken over here.",
  ]);
  expect(within(told).getByText(sentence)).toBeTruthy();
  expect(screen.getAllByText(sentence)).toHaveLength(1);
  expect(screen.getByLabelText('After hours')).toHaveProperty('value', '48');
  await user.click(screen.getByRole('button', { name: 'Save Rules' }));
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  expect(saved).toEqual(['"1"', '"2"']);
  expect(held).toMatchObject({ digest: { enabled: true, hour: 9 }, version: 3 });
  expect(held.rules).toMatchObject({
    ...{ silent: { limit: 48 }, low_stock: { severity: 'high' }, expiring: { enabled: false } },
  });
});

test('of a rule that both changed theirs can be taken', async () => {
  await saveSecond();
  await user.click(await screen.findByRole('button', { name: 'Take theirs' }));
  expect(screen.getByLabelText('After hours')).toHaveProperty('value', '12');
  await user.click(screen.getByRole('button', { name: 'Save Rules' }));
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  expect(held.rules).toMatchObject({ silent: { limit: 12 }, expiring: { enabled: false } });
});
