import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { toastStore } from '../ui/toasts/toast.ts';
import { asked, atInventoryDesk, buildRow, desk, open, rowOf, writes } from './testing/inventory-desk.tsx';

const user = userEvent.setup();
atInventoryDesk();

test('with a minimum of 10, 9 is Low Stock, 10 and 14 are Warning, 15 is In Stock', async () => {
  open();
  const words = ['Low Stock', 'Warning', 'Warning', 'In Stock'];
  for (const [n, word] of words.entries()) {
    const row = await rowOf(`Product ${n + 1}`);
    expect(within(row).getAllByText(word).length).toBeGreaterThan(0);
  }
});

test('where a screen has no room for the minimum, the stock says that it is the minimum it is held against', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(new EventTarget() as MediaQueryList, { media: query, matches: false }),
  );
  open();
  const least = within(await rowOf('Product 1')).getByText('of min 10');
  expect(least.className.split(' ')).toContain('md:hidden');
});

test('below its product, where a screen has no room for its column, a market is named to the end', async () => {
  open();
  const name = within(await rowOf('Product 1')).getAllByText('North Hall', { selector: 'span' })[0];
  expect(name?.className.split(' ')).toEqual(expect.arrayContaining(['xl:hidden', 'whitespace-normal']));
  expect(name?.className).not.toContain('truncate');
});

test('the figures say what the value rests on and what is missing in it', async () => {
  open();
  const figures = await screen.findByRole('region', { name: 'Figures' });
  expect(figures.textContent).toContain('$123.50');
  expect(figures.textContent).toContain('2 items without a cost at price; 1 item without cost or price not counted');
  expect(figures.textContent).toContain('Of 2; 1 has no items yet');
});

test('a typed search is asked of the server once it has settled, and stands in the address', async () => {
  open();
  await rowOf('Product 1');
  await user.type(screen.getByRole('searchbox', { name: 'Search products or markets' }), 'cola north');
  await waitFor(() => expect(asked().at(-1)).toContain('search=cola+north'));
  expect(window.location.search).toBe('?q=cola+north');
});

test('on a phone items are put in order by a column that has no room there', async () => {
  open();
  await rowOf('Product 1');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Last Restocked: oldest first');
  await waitFor(() => expect(asked().at(-1)).toBe('stock=all&sort=restocked'));
});

test('filter and sort are the server’s, and a new one begins at the first page', async () => {
  window.history.replaceState(null, '', '/inventory?page=abc');
  open();
  await rowOf('Product 1');
  expect(asked().at(-1)).toContain('page=abc');
  await user.click(screen.getByRole('button', { name: 'Low Stock' }));
  await waitFor(() => expect(asked().at(-1)).toBe('stock=low&sort=cover'));
  await user.click(screen.getByRole('button', { name: 'Product' }));
  await waitFor(() => expect(asked().at(-1)).toBe('stock=low&sort=product'));
  await user.click(screen.getByRole('button', { name: 'Product' }));
  await waitFor(() => expect(asked().at(-1)).toBe('stock=low&sort=-product'));
});

test('an order that the server does not know is given up by trying again', async () => {
  window.history.replaceState(null, '', '/inventory?sort=bogus&stock=low');
  desk.answer = ({ path, query }) =>
    path === '/api/inventory/page' && query.get('sort') === 'bogus'
      ? Response.json(
          { code: 'invalid-input', detail: 'sort must be one of cover.', fields: { sort: '' } },
          { status: 400 },
        )
      : undefined;
  open();
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await rowOf('Product 1');
  expect(window.location.search).toBe('?stock=low');
});

test('no hit says so and leads back to all items', async () => {
  window.history.replaceState(null, '', '/inventory?q=zzz');
  desk.rows = [];
  open();
  expect(await screen.findByText("No item matches 'zzz'")).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(asked().at(-1)).toBe('stock=all&sort=cover'));
});

test('a delete is asked for by name, told, and can be undone', async () => {
  open();
  await rowOf('Product 2');
  await user.click(screen.getByRole('button', { name: 'Delete Product 2 at North Hall' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Product 2?' }));
  expect(writes()).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Delete Item' }));
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Item Deleted'));
  toastStore.get()[0]?.action?.run();
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Item Restored'));
  expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /api/inventory/2',
    'POST /api/inventory/items/2/restore',
  ]);
});

test('a failed delete says so', async () => {
  desk.answer = ({ method }) => (method === 'DELETE' ? new Response('', { status: 502 }) : undefined);
  open();
  await rowOf('Product 2');
  await user.click(screen.getByRole('button', { name: 'Delete Product 2 at North Hall' }));
  await user.click(await screen.findByRole('button', { name: 'Delete Item' }));
  await waitFor(() =>
    expect(toastStore.get()[0]).toMatchObject({
      title: 'Delete Failed',
      description: 'Failed to delete inventory item. Please try again.',
    }),
  );
});

test('a manager may not delete, a worker neither adds nor edits', async () => {
  open('route_manager');
  await rowOf('Product 1');
  expect(screen.queryAllByRole('button', { name: /^Delete/ })).toEqual([]);
  expect(screen.getAllByRole('button', { name: /^Edit/ })).toHaveLength(4);
  cleanup();
  open('field_worker');
  await rowOf('Product 1');
  expect(screen.queryAllByRole('button', { name: /^(Edit|Delete|Add Item)/ })).toEqual([]);
});

test('an export reads every page of what the filter shows', async () => {
  const made: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) made.push(blob);
    return 'blob:x';
  });
  // A browser saves here; this one would leave the page.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  desk.answer = ({ path, query }) => {
    if (path !== '/api/inventory/page' || query.get('limit') !== '1000') return undefined;
    const isLast = query.get('page') === 'more';
    const row = buildRow(isLast ? { id: 2, productName: '=cmd', marketName: 'A, "B"' } : {});
    return Response.json({ rows: [row], total: 2, from: 1, next: isLast ? null : 'more', previous: null });
  };
  window.history.replaceState(null, '', '/inventory?stock=low&q=co');
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(made).toHaveLength(1));
  const lines = ((await made[0]?.text()) ?? '').split('\r\n');
  expect(lines).toEqual([
    'Product,Market,Market ID,Current Stock,Minimum Stock,Status,Last Restocked,Unit Cost,Unit Price',
    'Cola,North Hall,7,9,10,Low Stock,2026-01-02T14:05:00.000Z,1.00,2.00',
    `'=cmd,"A, ""B""",7,9,10,Low Stock,2026-01-02T14:05:00.000Z,1.00,2.00`,
    '',
  ]);
  expect(asked().filter((query) => query.includes('limit=1000'))).toEqual([
    'stock=low&sort=cover&search=co&limit=1000',
    'stock=low&sort=cover&search=co&limit=1000&page=more',
  ]);
});

test('a system without a screen has no button and says what works; one with a screen leads there', async () => {
  window.history.replaceState(null, '', '/inventory?tab=integrations');
  open('admin', [{ path: '/cantaloupe', needs: 'office:write' }]);
  const lightspeed = within(await screen.findByRole('region', { name: 'Lightspeed Retail' }));
  expect(lightspeed.queryAllByRole('link')).toEqual([]);
  expect(lightspeed.getByText('milkrun import sales FILE')).toBeTruthy();
  expect(lightspeed.getByText('Not Connected')).toBeTruthy();
  const cantaloupe = within(screen.getByRole('region', { name: 'Cantaloupe' }));
  expect(cantaloupe.getByRole('link', { name: 'Configure' }).getAttribute('href')).toBe('/cantaloupe');
  expect(cantaloupe.getByRole('link', { name: 'Connect' }).getAttribute('href')).toContain('/cantaloupe');
  expect(screen.getByText('The key was refused. Enter a new one.')).toBeTruthy();
});

test('where a configuration is there, the card says that Connect adds another', async () => {
  window.history.replaceState(null, '', '/inventory?tab=integrations');
  open(
    'admin',
    ['/cantaloupe', '/nayax-moma'].map((path) => ({ path, needs: 'office:write' })),
  );
  const cantaloupe = within(await screen.findByRole('region', { name: 'Cantaloupe' }));
  expect(cantaloupe.getByText(/It has one configuration; Connect adds another\.$/)).toBeTruthy();
  const moma = within(screen.getByRole('region', { name: 'MoMa' }));
  expect(moma.queryByText(/adds another/)).toBeNull();
});

test('filled is only the button of what fails; each other card offers its next step in outline', async () => {
  window.history.replaceState(null, '', '/inventory?tab=integrations');
  open(
    'admin',
    ['/cantaloupe', '/nayax-moma'].map((path) => ({ path, needs: 'office:write' })),
  );
  await screen.findByRole('region', { name: 'Cantaloupe' });
  const lookOf = (system: string, button: string): string => {
    const card = within(screen.getByRole('region', { name: system }));
    const { className } = card.getByRole('link', { name: button });
    if (className.includes('bg-accent')) return 'filled';
    return className.includes('border-line-ctl') ? 'outline' : 'quiet';
  };
  expect(['Configure', 'Connect'].map((button) => lookOf('Cantaloupe', button))).toEqual(['filled', 'quiet']);
  expect(['Configure', 'Connect'].map((button) => lookOf('MoMa', button))).toEqual(['quiet', 'outline']);
});
