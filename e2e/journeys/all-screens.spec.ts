import AxeBuilder from '@axe-core/playwright';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { address, enterAs, launchOptions, office, phone, settled } from '../people.ts';

const screens = [
  '/',
  '/daily-schedule',
  '/route-planning',
  '/route-planning/day',
  '/picking',
  '/inventory',
  '/inventory?tab=integrations',
  '/mobile-inventory',
  '/markets',
  '/markets/1',
  '/vending-machines',
  '/vending-machines/1',
  '/vending-machines/1?tab=sales',
  '/vending-machines/alerts',
  '/products',
  '/import',
  '/reports',
  '/payment-reports',
  '/cantaloupe',
  '/nayax-moma',
  '/nama-vdi',
  '/integrations',
  '/integrations/review',
  '/integration-sync',
  '/enterprise-dashboard',
  '/admin-dashboard',
  '/device-login',
  '/counts-to-review',
  '/settings',
  '/manual',
  '/account',
];
const sizes = { office, phone };

let browser: Browser;
test.beforeAll(async () => {
  browser = await chromium.launch(launchOptions);
});
test.afterAll(() => browser.close());

/** What the browser complained about, but for what a person's refusal of their position makes it say. */
function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  return found;
}

/** What cannot be read without scrolling sideways, pages that can be scrolled so, and rows of tabs that move up and down. */
function hiddenSideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    // The window of a phone grows with what is too wide: the width of the page does not.
    const wide = root.scrollWidth > root.clientWidth ? ['the page'] : [];
    const groups = [...document.querySelectorAll('fieldset')].filter((group) => {
      const frame = group.closest('.overflow-x-auto') ?? group;
      return frame.scrollWidth > frame.clientWidth + 1;
    });
    const strips = [...document.querySelectorAll('[role=tablist]')].filter(
      (strip) => getComputedStyle(strip).overflowY === 'auto' && strip.scrollHeight > strip.clientHeight,
    );
    const named = [...groups, ...strips].map((one) => one.getAttribute('aria-label') ?? 'a group');
    return [...wide, ...named];
  });
}

async function violationsAt(page: Page, screen: string): Promise<string[]> {
  // Our pages have no frames: looked at in one piece, and told what is wrong alone, they take a third of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations.map((one) => `${screen} ${one.id}: ${one.nodes[0]?.html}`);
}

// Each size and each scheme once; the long run has all four.
const isLong = Boolean(process.env.MILKRUN_LONG);
const isCrossed = (size: string, colorScheme: string) => (size === 'office') !== (colorScheme === 'light');

for (const [size, options] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    if (isCrossed(size, colorScheme) && !isLong) continue;
    test(`every screen is accessible and quiet: ${size}, ${colorScheme}`, async () => {
      test.setTimeout(900_000);
      const context = await browser.newContext({ ...options, colorScheme, baseURL: address() });
      const page = await context.newPage();
      const found = complaints(page);
      await settled(page, '/login');
      const violations = await violationsAt(page, '/login');
      await enterAs(page, 'admin@demo.milkrun.local');
      for (const screen of screens) {
        await settled(page, screen);
        violations.push(...(await violationsAt(page, screen)));
        violations.push(...(await hiddenSideways(page)).map((what) => `${screen}: ${what} is wider than the screen`));
      }
      expect([...violations, ...found]).toEqual([]);
      await context.close();
    });
  }
}

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`a row of tabs fades as far as it goes on, with motion: ${reducedMotion}`, async () => {
    const context = await browser.newContext({ ...phone, reducedMotion, baseURL: address() });
    const page = await context.newPage();
    await enterAs(page, 'admin@demo.milkrun.local');
    await settled(page, '/payment-reports');
    const row = page.getByRole('tablist', { name: 'Reports' });
    const fade = () => row.evaluate((one) => getComputedStyle(one).getPropertyValue('--fade'));
    await expect.poll(fade).toBe('56px');
    await row.evaluate((one) => one.scrollTo({ left: one.scrollWidth }));
    await expect.poll(fade).toBe('16px');
    await context.close();
  });
}

test('on a phone what was found is read whole', async () => {
  const context = await browser.newContext({ ...phone, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'admin@demo.milkrun.local');
  await settled(page, '/');
  await page.getByRole('button', { name: 'Find or do anything' }).click();
  await page.getByPlaceholder(/^Market, machine/).fill('Market');
  const market = page.getByRole('option', { name: /Philadelphia/ }).first();
  await expect(market).toBeVisible();
  const areCut = await market
    .locator('span > span')
    .evaluateAll((all) => all.map((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight));
  expect(areCut).toEqual([false, false]);
  await context.close();
});
