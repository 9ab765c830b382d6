// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../ui/testing.ts';
import type { Session } from '../../contract/auth.ts';
import type { InventoryRow } from '../../contract/inventory.ts';
import type { Role } from '../../domain/permissions.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { KnownScreens } from '../ui/address/known-screens.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { InventoryScreen } from './inventory-screen.tsx';

const user = userEvent.setup();

const buildRow = (fields: Partial<InventoryRow> = {}): InventoryRow => ({
  id: 1,
  marketId: 7,
  marketName: 'North Hall',
  productId: 1,
  productName: 'Cola',
  currentQuantity: 9,
  minimumQuantity: 10,
  parQuantity: null,
  price: '2.00',
  cost: '1.00',
  lastRestocked: '2026-01-02T14:05:00.000Z',
  updatedAt: '2026-01-02T14:05:00.000Z',
  version: 3,
  ...fields,
});

type Sent = { method: string; path: string; query: URLSearchParams; body: unknown; version: string | null };
let sent: Sent[];
let rows: InventoryRow[];
let answer: (call: Sent) => Response | undefined;

const summary = {
  totalItems: 4,
  lowStockItems: 1,
  totalValue: '123.50',
  itemsAtPrice: 2,
  itemsWithoutValue: 1,
  marketsCovered: 1,
  totalMarkets: 2,
};
const onePage = (list: unknown[]) => ({ rows: list, total: list.length, from: 1, next: null, previous: null });

function reply(call: Sent): Response {
  const given = answer(call);
  if (given) return given;
  if (call.path === '/api/inventory/page') return Response.json(onePage(rows));
  if (call.path === '/api/inventory/summary') return Response.json(summary);
  if (call.path === '/api/markets/with-inventory/page')
    return Response.json(onePage([{ id: 7, name: 'North Hall', address: '1 Main Street' }]));
  if (call.path === '/api/products') return Response.json([{ id: 1, name: 'Cola', brand: 'Brand', category: null }]);
  if (call.path === '/api/integrations')
    return Response.json([
      { system: 'lightspeed', configurations: 0, state: 'not-connected', problem: null, waitsUntil: null },
      { system: 'cantaloupe', configurations: 1, state: 'failing', problem: 'The key was refused. Enter a new one.' },
      { system: 'moma', configurations: 0, state: 'not-connected', problem: null },
    ]);
  return Response.json(buildRow());
}

beforeEach(() => {
  sent = [];
  rows = [9, 10, 14, 15].map((currentQuantity, n) =>
    buildRow({ id: n + 1, productName: `Product ${n + 1}`, currentQuantity }),
  );
  answer = () => undefined;
  window.history.replaceState(null, '', '/inventory');
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body, headers }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, 'http://here');
    const version = new Headers(headers).get('if-match');
    const call = { method, path: pathname, query: searchParams, body: body ? JSON.parse(String(body)) : null, version };
    sent.push(call);
    return reply(call);
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open(role: Role = 'admin', known: { path: string; needs: 'office:write' }[] = []): void {
  const person = { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role, roleLabel: '' };
  const session: Session = {
    person: { ...person, routeDesignation: null },
    operator: {
      name: 'Op',
      timeZone: 'UTC',
      currency: 'USD',
      distanceUnit: 'mi',
      today: '2026-01-05',
      isDemo: false,
    },
    map: { styleUrl: null },
    expiresAt: '2030-01-01T00:00:00.000Z',
  };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <KnownScreens value={known}>
          <InventoryScreen />
        </KnownScreens>
      </SessionContext>
    </QueryClientProvider>,
  );
}

const rowOf = async (name: string): Promise<HTMLElement> => {
  const cell = await screen.findByText(name);
  const row = cell.closest('tr');
  if (!row) throw new Error(`${name} is in no row`);
  return row;
};
const writes = () => sent.filter(({ method }) => method !== 'GET');
const asked = () => sent.filter(({ path }) => path === '/api/inventory/page').map(({ query }) => String(query));
const problem = (status: number, detail: string, fields = {}) =>
  Response.json({ status, detail, code: 'conflict', fields }, { status });

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
  expect(figures.textContent).toContain('2 items without a cost at price; 1 item with neither not counted');
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
  answer = ({ path, query }) =>
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
  rows = [];
  open();
  expect(await screen.findByText("No item matches 'zzz'")).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(asked().at(-1)).toBe('stock=all&sort=cover'));
});

test('a new item begins at 0 of 10, needs a market of the list, and says what is wrong with its numbers', async () => {
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Add Item' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByLabelText('Current quantity')).toHaveProperty('value', '0');
  expect(dialog.getByLabelText('Minimum quantity')).toHaveProperty('value', '10');
  await user.clear(dialog.getByLabelText('Current quantity'));
  await user.type(dialog.getByLabelText('Current quantity'), '-1');
  await user.clear(dialog.getByLabelText('Minimum quantity'));
  await user.type(dialog.getByLabelText('Minimum quantity'), '0');
  await user.click(dialog.getByRole('button', { name: 'Add Item' }));
  for (const sentence of [
    'Choose a market',
    'Product name is required',
    'Current quantity must be 0 or greater',
    'Minimum quantity must be at least 1',
  ])
    expect(await dialog.findByText(sentence)).toBeTruthy();
  expect(writes()).toEqual([]);
});

test('a market and a product are chosen from what the server suggests, and the item is sent', async () => {
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Add Item' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('combobox', { name: 'Market' }), 'north');
  await user.click(await dialog.findByRole('option', { name: /North Hall/ }));
  await user.type(dialog.getByRole('combobox', { name: 'Product' }), 'co');
  await user.click(await dialog.findByRole('option', { name: /Cola/ }));
  await user.click(dialog.getByRole('button', { name: 'Add Item' }));
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Item Created'));
  expect(writes()).toMatchObject([
    { method: 'POST', body: { marketId: 7, productName: 'Cola', currentQuantity: 0, minimumQuantity: 10 } },
  ]);
});

test('a product that the market already has is said before a second row of it is made', async () => {
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Add Item' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('combobox', { name: 'Product' }), 'product 1');
  expect(dialog.queryByText(/already has/)).toBeNull();
  await user.type(dialog.getByRole('combobox', { name: 'Market' }), 'north');
  await user.click(await dialog.findByRole('option', { name: /North Hall/ }));
  expect(await dialog.findByText(/North Hall already has Product 1, 9 in stock/)).toBeTruthy();
  expect(asked().at(-1)).toContain('market=7');
  const product = dialog.getByRole('combobox', { name: 'Product' });
  await user.type(product, '1');
  await waitFor(() => expect(dialog.queryByText(/already has/)).toBeNull());
});

test('an operator without a market is told to begin with one', async () => {
  answer = ({ path }) => {
    if (path === '/api/markets/with-inventory/page') return Response.json(onePage([]));
    if (path === '/api/inventory/page') return Response.json(onePage([]));
    if (path !== '/api/inventory/summary') return undefined;
    const none = { totalItems: 0, lowStockItems: 0, itemsAtPrice: 0, itemsWithoutValue: 0 };
    return Response.json({ ...none, totalValue: '0.00', marketsCovered: 0, totalMarkets: 0 });
  };
  open();
  expect(await screen.findByText('No markets yet')).toBeTruthy();
  expect(await screen.findByText('Nothing in stock yet')).toBeTruthy();
  const [add] = await screen.findAllByRole('button', { name: 'Add Item' });
  if (add) await user.click(add);
  await user.click(within(await screen.findByRole('dialog')).getByRole('combobox', { name: 'Market' }));
  expect(await screen.findByText('There is no market yet. Add one on the Markets screen first.')).toBeTruthy();
});

test('a refused new item is told with the server’s sentence, and what was typed stays', async () => {
  answer = ({ method }) => (method === 'POST' ? problem(409, 'This market was just deleted.') : undefined);
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Add Item' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('combobox', { name: 'Market' }), 'north');
  await user.click(await dialog.findByRole('option', { name: /North Hall/ }));
  await user.type(dialog.getByRole('combobox', { name: 'Product' }), 'Own mix');
  await user.click(dialog.getByRole('button', { name: 'Add Item' }));
  await waitFor(() =>
    expect(toastStore.get()[0]).toMatchObject({
      title: 'Creation Failed',
      description: 'This market was just deleted.',
      variant: 'destructive',
    }),
  );
  expect(dialog.getByRole('combobox', { name: 'Product' })).toHaveProperty('value', 'Own mix');
});

/** The open form of an item after a changed minimum was sent. */
async function saveMinimumOfFour() {
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Edit Product 1 at North Hall' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.clear(dialog.getByLabelText('Minimum quantity'));
  await user.type(dialog.getByLabelText('Minimum quantity'), '4');
  await user.click(dialog.getByRole('button', { name: 'Save Item' }));
  return dialog;
}

test('an edit sends what was changed, on the version that was read: an unchanged quantity is no count', async () => {
  await saveMinimumOfFour();
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Item Updated'));
  expect(writes()).toMatchObject([
    { method: 'PUT', path: '/api/inventory/1', body: { minimumQuantity: 4 }, version: '"3"' },
  ]);
  expect(writes()[0]?.body).toEqual({ minimumQuantity: 4 });
});

test('an item saved as it was closes its form: nothing is sent, and nothing is said to be updated', async () => {
  const before = toastStore.get();
  open();
  await rowOf('Product 1');
  await user.click(screen.getByRole('button', { name: 'Edit Product 1 at North Hall' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Save Item' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(writes()).toEqual([]);
  expect(toastStore.get()).toBe(before);
});

test('the second of two people is told what the first changed, keeps the text and saves on top of it', async () => {
  const newest = buildRow({ productName: 'Product 1', minimumQuantity: 20, parQuantity: 30, version: 5 });
  answer = ({ method, path, version }) => {
    if (path === '/api/inventory/items/1') return Response.json(newest);
    const sentence = 'This was changed by Mary Manager in the meantime.';
    return method === 'PUT' && version === '"3"' ? problem(409, sentence, { version: sentence }) : undefined;
  };
  const dialog = await saveMinimumOfFour();
  const told = (await dialog.findByText(/Mary Manager/)).closest('[role=alert]');
  expect(told?.textContent).toContain("Minimum quantity: '10' is now '20'. Yours is kept: '4'.");
  expect(told?.textContent).toContain("Fill up to: empty is now '30'. Taken over here.");
  expect(dialog.getByLabelText('Minimum quantity')).toHaveProperty('value', '4');
  expect(dialog.getByLabelText('Fill up to')).toHaveProperty('value', '30');
  await user.click(dialog.getByRole('button', { name: 'Save Item' }));
  await waitFor(() => expect(writes()).toHaveLength(2));
  expect(writes()[1]).toMatchObject({ body: { minimumQuantity: 4 }, version: '"5"' });
});

test('units sold while the form was open disturb nobody', async () => {
  answer = ({ method, path, version }) => {
    if (path === '/api/inventory/items/1')
      return Response.json(buildRow({ productName: 'Product 1', currentQuantity: 7, version: 4 }));
    return method === 'PUT' && version === '"3"' ? problem(409, 'Changed.', { version: 'Changed.' }) : undefined;
  };
  await saveMinimumOfFour();
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Item Updated'));
  expect(writes()[1]).toMatchObject({ version: '"4"' });
  expect(writes()[1]?.body).toEqual({ minimumQuantity: 4 });
});

test('where only units were sold, nobody is told to look at what changed, not even while it is saved again', async () => {
  answer = ({ method, path, version }) => {
    if (path === '/api/inventory/items/1')
      return Response.json(buildRow({ productName: 'Product 1', currentQuantity: 7, version: 4 }));
    if (method !== 'PUT') return undefined;
    return version === '"3"' ? problem(409, 'Changed.', { version: 'Changed.' }) : problem(503, 'Away.', {});
  };
  const dialog = await saveMinimumOfFour();
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Update Failed'));
  expect(writes().map(({ version }) => version)).toEqual(['"3"', '"4"']);
  expect(dialog.queryByText('Changed.')).toBeNull();
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
  answer = ({ method }) => (method === 'DELETE' ? new Response('', { status: 502 }) : undefined);
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
  answer = ({ path, query }) => {
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
