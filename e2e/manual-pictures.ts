import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { address, launchOptions, phone, signIn } from './people.ts';

const folder = path.join(import.meta.dirname, '../docs/manual/pictures');
/** Wide enough for the office's layout; the side menu is left out. */
const office = { viewport: { width: 1280, height: 860 } };
const quality = 62;

type Stop = (page: Page) => Promise<void>;
const open =
  (at: string): Stop =>
  async (page) => {
    await page.goto(at);
  };

const officeStops: Record<string, Stop> = {
  dashboard: open('/'),
  inventory: open('/inventory'),
  integrations: open('/inventory?tab=integrations'),
  markets: open('/markets'),
  market: open('/markets/1'),
  'vending-machines': open('/vending-machines'),
  planogram: open('/vending-machines/2'),
  alerts: open('/vending-machines/alerts'),
  products: open('/products'),
  reports: open('/reports?type=sales&range=month'),
  'payment-reports': open('/payment-reports'),
  performance: open('/enterprise-dashboard'),
  people: open('/admin-dashboard'),
  settings: open('/settings'),
  'route-planning': async (page) => {
    await page.goto('/route-planning');
    await page.getByRole('tab', { name: /Vending Machines/ }).click();
    const boxes = page.getByRole('tabpanel').getByRole('checkbox');
    for (const n of [0, 1, 2, 3]) await boxes.nth(n).check();
  },
  'plan-the-day': async (page) => {
    await page.goto('/route-planning/day?locations=needing');
    await page.getByRole('button', { name: /^Plan \d+ stops/ }).click();
    await page.getByRole('button', { name: 'Stop and keep this plan' }).click();
    await expect(page.getByRole('button', { name: 'Save Routes' })).toBeEnabled();
  },
  picking: async (page) => {
    await page.goto('/picking');
    await page
      .getByRole('main')
      .getByRole('button')
      .filter({ hasText: /\d stops/ })
      .last()
      .click();
    await page.getByRole('button', { name: 'Start picking' }).click();
    const lines = page.getByRole('list', { name: 'Tote 1' }).first().locator('[aria-pressed=false]');
    await lines.first().click();
    await lines.first().click();
  },
  import: async (page) => {
    await page.goto('/import');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'old-system.csv', mimeType: 'text/csv', buffer: file });
    await expect(page.getByRole('heading', { name: 'Columns' })).toBeVisible();
  },
};

const file = Buffer.from(
  'Asset;Site name;Street;Lat;Lon\nA-1;North lobby;1 First Street;39.95;-75.16\nA-2;South lobby;2 First Street;39.96;-75.17\n',
);

const phoneStops: Record<string, Stop> = {
  'daily-schedule': async (page) => {
    await page.goto('/daily-schedule');
    await page.getByRole('button').filter({ hasText: 'Route 202' }).first().click();
  },
};

test('pictures of the manual', async () => {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch(launchOptions);
  for (const [stops, options] of [
    [officeStops, office],
    [phoneStops, phone],
  ] as const) {
    const context = await browser.newContext({
      ...options,
      baseURL: address(),
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await signIn(page, 'admin@demo.milkrun.local');
    for (const [name, go] of Object.entries(stops)) {
      await go(page);
      await keep(page, name);
    }
    await context.close();
  }
  await browser.close();
});

/** What the screen shows of itself, without the menu and bars around it. */
async function keep(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  const map = page.locator('[data-map]');
  if (await map.count()) {
    await map.first().scrollIntoViewIfNeeded();
    await expect(map.first()).toHaveAttribute('data-map', /idle|failed/);
    await page.evaluate(() => window.scrollTo(0, 0));
  }
  const box = await page.getByRole('main').boundingBox();
  const { width, height } = page.viewportSize() ?? office.viewport;
  const left = Math.round(box?.x ?? 0);
  const top = Math.max(0, Math.round(box?.y ?? 0));
  const tall = Math.min(height - top, Math.round(box?.height ?? height));
  const shot = await page.screenshot({ clip: { x: left, y: top, width: width - left, height: tall } });
  await sharp(shot)
    .webp({ quality, effort: 6 })
    .toFile(path.join(folder, `${name}.webp`));
}
