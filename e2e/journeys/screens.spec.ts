import { type Browser, chromium, expect, test } from '@playwright/test';
import { address, enterAs, launchOptions, office, phone, settled } from '../people.ts';

let browser: Browser;
test.beforeAll(async () => {
  browser = await chromium.launch(launchOptions);
});
test.afterAll(() => browser.close());

/** A sheet of A4 upright between its margins. */
const paper = { width: 718, height: 1047 };

/** In the page: cells whose text does not fit. */
const cutCells = `[...document.querySelectorAll('main :is(th, td), main :is(th, td) *')]
  .filter((one) => getComputedStyle(one).overflowX === 'hidden' && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)`;

test('a report prints every row, and nothing to press', async () => {
  const context = await browser.newContext({ ...office, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'admin@demo.milkrun.local');
  await page.goto('/reports');
  const losses = page.getByRole('region', { name: /^Spoiled and Missing/ });
  const count = Number(await losses.locator('header span').innerText());
  expect(count).toBeGreaterThan(25);
  await expect(losses.locator('tbody tr')).toHaveCount(25);
  await page.emulateMedia({ media: 'print' });
  await expect(losses.locator('tbody tr')).toHaveCount(count);
  await expect(losses.getByRole('button', { name: 'Next page' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Print|Excel/ })).toHaveCount(0);
  await page.setViewportSize(paper);
  for (const type of ['inventory', 'route', 'market', 'sales']) {
    await page.goto(`/reports?type=${type}&range=month`);
    await expect(page.getByRole('table').first().locator('tbody a, tbody td').first()).toBeVisible();
    expect(await page.evaluate<string[]>(cutCells), type).toEqual([]);
  }
  await context.close();
});

/** In the page: the words of a heading are dark on a white sheet, 0 black and 255 white. */
const inkOfTitle = `Math.max(...getComputedStyle(document.querySelector('h1')).color.match(/\\d+/g).map(Number))`;

/** In the page: the heads of a table's columns that are seen, as they stand on paper. */
const printedHeads = `[...document.querySelectorAll('table[aria-label="Markets"] th')]
  .filter((one) => one.offsetWidth > 0)
  .map((one) => getComputedStyle(one, '::before').content + one.innerText.trim())`;

/** In the page: the least space between two figures beside each other, and the height of the tallest. */
const printedFigures = `(() => {
  const rows = [...document.querySelectorAll('table[aria-label="Markets"] tbody tr')].map((row) =>
    [...row.cells].filter((cell) => cell.offsetWidth > 0).map((cell) => {
      const words = document.createRange();
      words.selectNodeContents(cell);
      return words.getBoundingClientRect();
    }),
  );
  return {
    space: Math.min(...rows.flatMap((cells) => cells.slice(2).map((cell, i) => cell.left - cells[i + 1].right))),
    height: Math.max(...rows.flatMap((cells) => cells.slice(3).map((cell) => cell.height))),
  };
})()`;

test('a sheet is dark on white, names what it is of, and has every column under its head', async () => {
  const context = await browser.newContext({ ...office, baseURL: address() });
  await context.addInitScript(() => localStorage.setItem('milkrun-theme', 'dark'));
  const page = await context.newPage();
  await enterAs(page, 'admin@demo.milkrun.local');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(paper);
  await page.goto('/reports?type=market');
  await expect(page.getByRole('table')).toBeVisible();
  expect(await page.evaluate<number>(inkOfTitle)).toBeLessThan(60);
  await expect(page.getByText('Market report')).toBeVisible();
  expect(await page.evaluate<string[]>(printedHeads)).toEqual(
    ['Market', 'Status', 'Stock Level', 'Items', 'Sales ↓', 'Before', 'Margin', 'Sold Out'].map((head) => `"${head}"`),
  );
  const figures = await page.evaluate<{ space: number; height: number }>(printedFigures);
  expect(figures.space).toBeGreaterThanOrEqual(12);
  expect(figures.height).toBeLessThan(24);
  await page.goto('/markets');
  await expect(page.getByRole('table')).toBeVisible();
  expect(await page.evaluate<string[]>(printedHeads)).not.toContain('"Actions"');
  await expect(page.getByRole('button', { name: 'Maintenance' })).toBeHidden();
  await page.goto('/payment-reports?tab=reconciliation');
  await expect(page.getByRole('tab', { name: 'Overview', includeHidden: true })).toBeHidden();
  await context.close();
});

const sheetsOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

test('as many sheets are printed as the rows need', async () => {
  const context = await browser.newContext({ ...office, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'admin@demo.milkrun.local');
  await page.goto('/markets/1');
  const rows = page.getByRole('table', { name: 'Stock' }).locator('tbody tr:not([data-placeholder])');
  await expect(rows).toHaveCount(15);
  const fromScreen = sheetsOf(await page.pdf({ format: 'A4' }));
  await page.emulateMedia({ media: 'print' });
  await expect(rows).not.toHaveCount(15);
  expect(fromScreen).toBeGreaterThan(1);
  expect(fromScreen).toBe(sheetsOf(await page.pdf({ format: 'A4' })));
  await context.close();
});

test('an open dialog is printed alone, and once', async () => {
  const context = await browser.newContext({ ...office, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'manager@demo.milkrun.local');
  await page.goto('/route-planning');
  await page.getByRole('button', { name: 'View Route History' }).click();
  const dialog = page.getByRole('dialog', { name: 'Route History' });
  await expect(dialog.locator('tbody tr')).toHaveCount(10);
  expect(sheetsOf(await page.pdf({ format: 'A4' }))).toBe(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Route Planning' })).toBeHidden();
  await context.close();
});

test('the house of a depot stands within its mark on a phone too', async () => {
  const context = await browser.newContext({ ...phone, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'manager@demo.milkrun.local');
  await page.goto('/route-planning');
  await page.getByRole('heading', { name: 'Route Map' }).scrollIntoViewIfNeeded();
  const mark = page.getByRole('img', { name: /^Depot / });
  await expect(mark).toHaveCount(1);
  const [outer, house] = await Promise.all([mark.boundingBox(), mark.locator('svg').boundingBox()]);
  const rest = (outer?.width ?? 0) - (house?.width ?? 0);
  expect(rest).toBeGreaterThan(0);
  expect((house?.x ?? 0) - (outer?.x ?? 0)).toBeCloseTo(rest / 2, 0);
  await context.close();
});

test('the head of a route under way has one line on a screen of the office', async () => {
  const context = await browser.newContext({ ...office, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'manager@demo.milkrun.local');
  await page.route(/\/api\/scheduled-routes(\?|$)/, async (asked) => {
    const answer = await asked.fetch();
    const rows: object[] = await answer.json();
    const underWay = rows.map((row) => ({ ...row, name: 'Route 505', status: 'in_progress' }));
    await asked.fulfill({ response: answer, json: underWay });
  });
  await page.goto('/daily-schedule');
  await page.getByText('Route 505', { exact: true }).first().click();
  const head = page.getByRole('region', { name: 'Stops of Route 505' }).locator('header');
  await expect(head.getByRole('button', { name: 'Complete Route' })).toBeVisible();
  expect((await head.boundingBox())?.height).toBeLessThan(52);
  await context.close();
});

test('the narrowest screen of the office says when a market was last updated, without a head cut short', async () => {
  const context = await browser.newContext({ viewport: { width: 1024, height: 800 }, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'manager@demo.milkrun.local');
  await page.goto('/');
  const table = page.getByRole('table', { name: 'Micro Markets Status' });
  await expect(table.getByRole('columnheader', { name: 'Last Updated' })).toBeVisible();
  const cut = await table
    .getByRole('columnheader')
    .evaluateAll((heads) =>
      heads
        .filter((head) => head.clientWidth > 0 && head.scrollWidth > head.clientWidth)
        .map(({ textContent }) => textContent),
    );
  expect(cut).toEqual([]);
  await context.close();
});

test('an unknown address says so', async () => {
  const context = await browser.newContext({ baseURL: address() });
  const page = await context.newPage();
  await page.goto('/no-such-screen');
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await context.close();
});

test('a screen asked for signed out is where one lands after signing in', async () => {
  const context = await browser.newContext({ ...office, baseURL: address() });
  const page = await context.newPage();
  await page.goto('/daily-schedule?date=2026-01-05');
  await page.waitForURL('**/login?next=*');
  await page.getByRole('button', { name: /manager@demo/ }).click();
  await expect(page.getByRole('heading', { name: 'Enter Verification Code' })).toBeVisible();
  const code = page.getByText(/^\d{6}$/).first();
  await page.getByLabel('Verification code').fill((await code.textContent()) ?? '');
  await page.getByRole('button', { name: 'Verify & Login' }).click();
  await page.waitForURL('**/daily-schedule?date=2026-01-05');
  await context.close();
});

/** In the page: placeholders that do not fit their field, labels of a chart that touch, and texts that are nowhere whole. */
const cutShort = `(() => {
  const brush = document.createElement('canvas').getContext('2d');
  const fields = [...document.querySelectorAll('input[placeholder]')].filter((field) => {
    const style = getComputedStyle(field);
    brush.font = [style.fontWeight, style.fontSize, style.fontFamily].join(' ');
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return room > 0 && brush.measureText(field.placeholder).width > room;
  });
  const labels = [...document.querySelectorAll('p[aria-hidden] > span')].map((label) => label.getBoundingClientRect());
  const inSight = labels.filter(({ width }) => width > 0);
  const touching = inSight.filter((label, n) => n > 0 && label.left < inSight[n - 1].right + 4);
  const texts = [...document.querySelectorAll('main *')].filter((one) => {
    const isCut = getComputedStyle(one).textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth + 1;
    return isCut && one.children.length === 0 && !one.closest('[title]');
  });
  return [
    ...fields.map(({ placeholder }) => placeholder),
    ...touching.map(() => 'a label of a chart'),
    ...texts.map(({ textContent }) => textContent),
  ];
})()`;

test('on a phone what a field asks for fits into it, the days of a chart stand apart, and no text is lost', async () => {
  const context = await browser.newContext({ ...phone, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'admin@demo.milkrun.local');
  for (const screen of ['/', '/products', '/markets', '/payment-reports', '/reports?type=sales&range=quarter']) {
    await settled(page, screen);
    await expect(page.locator('tbody tr:not([data-placeholder])').filter({ visible: true }).first()).toBeVisible();
    expect(await page.evaluate<string[]>(cutShort), screen).toEqual([]);
  }
  await context.close();
});

/** Labels of routes under way that take a press meant for the stop they are at. */
const labelsInTheWay = `[...document.querySelectorAll('.map-van')].filter((label) => {
  const { left, top, width, height } = label.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) === label;
}).map((label) => label.textContent)`;

/** The first mark of a location that no neighbour covers: where stops lie close, the one above takes the press. */
const markInSight = `[...document.querySelectorAll('[data-map] button[data-mark].map-place')].find((mark) => {
  const { left, top, width, height } = mark.getBoundingClientRect();
  return mark.contains(document.elementFromPoint(left + width / 2, top + height / 2));
})?.dataset.mark`;

test('a location opened on the map by mouse is closed by Escape, which leaves its mark in hand', async () => {
  const browser = await chromium.launch(launchOptions);
  const page = await (await browser.newContext({ ...office, baseURL: address() })).newPage();
  await enterAs(page, 'manager@demo.milkrun.local');
  await page.goto('/');
  await expect(page.locator('[data-map=idle]')).toBeVisible();
  await page.locator('[data-map]').scrollIntoViewIfNeeded();
  expect(await page.evaluate<string[]>(labelsInTheWay)).toEqual([]);
  const inSight = await page.evaluate<string | undefined>(markInSight);
  const mark = page.locator(`[data-map] button[data-mark="${inSight}"]`);
  await mark.click();
  const opened = page.locator('.map-info');
  await expect(opened).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opened).toHaveCount(0);
  await expect(mark).toBeFocused();
  await browser.close();
});
