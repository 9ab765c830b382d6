import { chromium, expect, type Page, test } from '@playwright/test';
import { address, enterAs, launchOptions, phone, settled } from '../people.ts';

/** A name without a place to break it, as a pasted code is, and longer than a phone is wide. */
const word = 'W'.repeat(90);

async function make(page: Page, path: string, data: object): Promise<{ id: number; stops?: { id: number }[] }> {
  const reply = await page.request.post(path, { headers: { origin: address() }, data });
  expect(reply.status(), await reply.text()).toBe(201);
  return reply.json();
}

/** A market, a machine and a product of that name, and a route of today that leads to them. */
async function makeAll(page: Page) {
  const name = `Long ${Date.now()} ${word} ${'and on and on '.repeat(7)}`.trim();
  const where = { address: `1 ${word}`, latitude: '39.95', longitude: '-75.16', status: 'active' };
  const product = await make(page, '/api/products', { name, brand: word });
  const market = await make(page, '/api/markets', { ...where, name });
  const machineId = `LONG-${Date.now()}`;
  const fields = { ...where, name, machineId, location: word, model: word, capacity: 100 };
  const machine = await make(page, '/api/vending-machines', fields);
  const item = { marketId: market.id, productName: name, currentQuantity: 1, minimumQuantity: 10 };
  await make(page, '/api/inventory', item);
  const slot = { productName: name, slotNumber: 'A1', price: '1.25', currentQuantity: 3, maxQuantity: 10 };
  await make(page, `/api/vending-machines/${machine.id}/inventory`, slot);
  const [today] = await (await page.request.get('/api/scheduled-routes')).json();
  const stops = [
    { type: 'market', id: market.id },
    { type: 'vending_machine', id: machine.id },
  ];
  const route = await make(page, '/api/routes', { name, date: today.date, stops });
  return { product, market, machine, route };
}

const wider = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('no name makes a screen wider than the phone', async () => {
  const browser = await chromium.launch(launchOptions);
  const context = await browser.newContext({ ...phone, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'admin@demo.milkrun.local');
  const { product, market, machine, route } = await makeAll(page);
  const screens = [
    '/',
    '/daily-schedule',
    `/daily-schedule?route=${route.id}`,
    `/daily-schedule?route=${route.id}&stop=${route.stops?.[0]?.id}`,
    '/picking',
    `/picking?route=${route.id}`,
    `/markets/${market.id}`,
    `/vending-machines/${machine.id}`,
    `/products/${product.id}`,
    '/mobile-inventory',
    `/mobile-inventory?type=market&id=${market.id}`,
    `/mobile-inventory?type=vending_machine&id=${machine.id}`,
  ];
  const found: string[] = [];
  for (const screen of screens) {
    await page.goto(screen);
    await expect(page.getByText(word).first()).toBeAttached();
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    if ((await wider(page)) > 0) found.push(screen);
  }
  expect(found).toEqual([]);
  await browser.close();
});

/** A sheet of A4 upright between its margins. */
const paper = { width: 718, height: 1047 };

test('no name pushes the figures beside it off the sheet', async () => {
  const browser = await chromium.launch(launchOptions);
  const context = await browser.newContext({ viewport: paper, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'admin@demo.milkrun.local');
  await makeAll(page);
  await page.emulateMedia({ media: 'print' });
  await page.goto('/reports');
  const table = page.getByRole('table').filter({ hasText: word });
  await expect(table).toBeVisible();
  const [sheet, printed] = [await table.locator('..').boundingBox(), await table.boundingBox()];
  expect(printed?.width).toBeLessThanOrEqual(sheet?.width ?? 0);
  await browser.close();
});

const tables = [
  '/',
  '/inventory',
  '/markets',
  '/markets/1',
  '/products',
  '/reports',
  '/reports?type=route',
  '/reports?type=market',
  '/reports?type=sales',
  '/payment-reports',
  '/payment-reports?tab=comparison',
  '/admin-dashboard?tab=locations',
  '/admin-dashboard?tab=inventory',
];

/** Tables whose rows cannot be told apart, for the column that names them is narrower than a short word. */
const nameless = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main table[aria-label]')].flatMap((table) => {
      const isOfBoxes = (head: Element): boolean =>
        head.textContent?.trim() === 'Pick' || head.querySelector('[type=checkbox]') !== null;
      const names = [...table.querySelectorAll('thead th')].find((head) => !isOfBoxes(head));
      const width = names?.getBoundingClientRect().width ?? 0;
      return table.offsetWidth > 0 && width < 120 ? [`${table.getAttribute('aria-label')}: ${Math.round(width)}`] : [];
    }),
  );

test('a table keeps room for what its rows are called on every width of the office', async () => {
  test.setTimeout(300_000);
  const browser = await chromium.launch(launchOptions);
  const context = await browser.newContext({ baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'admin@demo.milkrun.local');
  for (const screen of tables) {
    await settled(page, screen);
    await expect(page.locator('main table[aria-label]:visible').first()).toBeVisible();
    for (const width of [768, 1024, 1180, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      // The side menu leaves a moment after the window became narrow.
      await expect.poll(() => nameless(page), { message: `${screen} at ${width}` }).toEqual([]);
    }
  }
  await browser.close();
});
