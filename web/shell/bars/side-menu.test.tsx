import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { SessionContext } from '../../auth/session-context.ts';
import { buildSession } from '../../offline/testing/fake-phone.ts';
import { screens } from '../../screens.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { SideMenu } from './side-menu.tsx';

afterEach(cleanup);
const user = userEvent.setup();

async function open(path: string, onClose: () => void = () => undefined): Promise<void> {
  window.history.replaceState(null, '', path);
  render(
    <SessionContext value={buildSession(1)}>
      <SideMenu open onClose={onClose} />
      <BottomBar />
    </SessionContext>,
  );
  await screen.findByRole('navigation', { name: 'Main' });
}

/** Every entry, in its order. */
const order = [
  'Dashboard',
  'Daily Schedule',
  'Route Planning',
  'Inventory & Integrations',
  'Mobile Inventory',
  'Markets',
  'Vending Machines',
  'Reports',
  'Payment Reports',
  'Cantaloupe',
  'Nayax & MoMa',
  'NAMA VDI 2.0',
  'Integration Sync',
  'Enterprise Performance',
  'Admin Dashboard',
  'Device Login',
];

test('every entry stands in its order, as far as its screen exists', () => {
  const built = screens.filter((screen) => !screen.inside).map(({ label }) => label);
  expect(built).toEqual(order.filter((label) => built.includes(label)));
});

test('the menu says what the product is', async () => {
  await open('/');
  expect(await screen.findByText('Milkrun')).toBeDefined();
  expect(await screen.findByText('Route & Inventory Manager')).toBeDefined();
});

test('the entry of the current screen is marked, and no other', async () => {
  await open('/daily-schedule');
  const menu = within(await screen.findByRole('navigation', { name: 'Main' }));
  const marked = menu.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
  expect(marked.map((link) => link.textContent)).toEqual(['Daily Schedule']);
});

test.each(['/integrations', '/products', '/products/7', '/counts-to-review'])(
  '%s, without an entry of its own, marks the one it is reached from',
  async (path) => {
    await open(path);
    const menu = within(await screen.findByRole('navigation', { name: 'Main' }));
    const marked = menu.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
    expect(marked.map((link) => link.textContent)).toEqual(['Inventory & Integrations']);
  },
);

test('choosing an entry, the backdrop and Escape each close the drawer', async () => {
  const close = vi.fn();
  await open('/', close);
  await user.click(within(await screen.findByRole('navigation', { name: 'Main' })).getByText('Route Planning'));
  expect(close).toHaveBeenCalledTimes(1);
  await user.click(screen.getAllByRole('button', { name: 'Close menu' })[0] as HTMLElement);
  expect(close).toHaveBeenCalledTimes(2);
  await user.keyboard('{Escape}');
  expect(close).toHaveBeenCalledTimes(3);
});

test('the bottom bar keeps its labels and their order', async () => {
  await open('/');
  const labels = within(await screen.findByRole('navigation', { name: 'Shortcuts' })).getAllByRole('link');
  const wanted = ['Dashboard', 'Schedule', 'Routes', 'Inventory', 'Vending'];
  const found = labels.map((link) => link.textContent ?? '');
  expect(found).toEqual(wanted.filter((label) => found.includes(label)));
});
