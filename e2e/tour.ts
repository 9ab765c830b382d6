import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, expect, type Page, test } from '@playwright/test';
import { address, launchOptions, office, phone, signIn } from './people.ts';

const folder = path.join(import.meta.dirname, '../tour');
const stops: Record<string, (page: Page) => Promise<void>> = {
  dashboard: async (page) => {
    await page.goto('/');
  },
  'daily-schedule': async (page) => {
    await page.goto('/daily-schedule');
    await page.getByRole('button').filter({ hasText: 'Route 202' }).first().click();
    await page.getByRole('button').filter({ hasText: 'Next' }).first().click();
  },
  'route-planning': async (page) => {
    await page.goto('/route-planning');
    const boxes = page.getByRole('tabpanel').getByRole('checkbox');
    await page.getByRole('tab', { name: /Vending Machines/ }).click();
    for (const n of [0, 1, 2, 3]) await boxes.nth(n).check();
  },
  'plan-the-day': async (page) => {
    await page.goto('/route-planning/day?locations=needing');
  },
  'plan-the-day-board': async (page) => {
    await page.goto('/route-planning/day?locations=needing');
    await page.getByRole('button', { name: /^Plan \d+ stops/ }).click();
    await page.getByRole('button', { name: 'Stop and keep this plan' }).click();
    await expect(page.getByRole('button', { name: 'Save Routes' })).toBeEnabled();
  },
  ...plain({
    inventory: '/inventory',
    integrations: '/inventory?tab=integrations',
    markets: '/markets',
    market: '/markets/1',
    'vending-machines': '/vending-machines',
    machine: '/vending-machines/1',
    'machine-sales': '/vending-machines/1?tab=sales',
    alerts: '/vending-machines/alerts',
    products: '/products',
    product: '/products/1',
    'reports-inventory': '/reports',
    'reports-route': '/reports?type=route&range=month',
    'reports-market': '/reports?type=market',
    'reports-sales': '/reports?type=sales&range=quarter',
    'payment-reports': '/payment-reports',
    cantaloupe: '/cantaloupe',
    'nayax-moma': '/nayax-moma',
    'nama-vdi': '/nama-vdi',
    lightspeed: '/integrations',
    'partner-connections': '/integrations/review',
    'integration-sync': '/integration-sync',
    'enterprise-dashboard': '/enterprise-dashboard',
    'device-login': '/device-login',
    picking: '/picking',
    import: '/import',
    settings: '/settings',
    account: '/account',
    'counts-to-review': '/counts-to-review',
    manual: '/manual/vending-machines',
    'mobile-inventory': '/mobile-inventory',
    'mobile-inventory-machine': '/mobile-inventory?type=vending_machine&id=1',
    'mobile-inventory-market': '/mobile-inventory?type=market&id=1',
  }),
  ...plain({ 'not-found': '/no-such-screen' }),
};

/** Screens that show what matters as soon as they are opened. */
function plain(addresses: Record<string, string>): Record<string, (page: Page) => Promise<void>> {
  return Object.fromEntries(
    Object.entries(addresses).map(([name, at]) => [
      name,
      async (page: Page) => {
        await page.goto(at);
      },
    ]),
  );
}

test('pictures of every screen', async () => {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch(launchOptions);
  for (const [size, options] of Object.entries({ 1440: office, 390: phone })) {
    const context = await browser.newContext({ ...options, baseURL: address() });
    const page = await context.newPage();
    await page.goto('/login');
    await picture(page, 'login', size);
    await signIn(page, 'manager@demo.milkrun.local');
    for (const [name, open] of Object.entries(stops)) {
      await open(page);
      await picture(page, name, size);
    }
    await context.close();
  }
  await browser.close();
});

async function picture(page: Page, name: string, size: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    const map = page.locator('[data-map]');
    if (await map.count()) {
      // The map draws itself when it is looked at; in another colour it is a new one, which may still move.
      await map.first().evaluate((element) => element.scrollIntoView({ block: 'nearest' }));
      await expect(page.locator('[data-map]').first()).toHaveAttribute('data-map', /idle|failed/);
    }
    await page.screenshot({ path: path.join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true });
  }
}
