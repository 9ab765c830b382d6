import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { address, enterAs, launchOptions, office } from '../people.ts';

/** A person's own browser, signed in. */
async function personAt(browser: Browser, email: string): Promise<Page> {
  const context = await browser.newContext({ ...office, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, email);
  return page;
}

type Stop = { completed: boolean; latitude: string; longitude: string; estimatedArrival: string; locationName: string };
type Route = { id: number; name: string; status: string; routeDesignation: string; stops: Stop[] };

async function todaysRoutes(page: Page): Promise<Route[]> {
  return (await page.request.get('/api/scheduled-routes')).json();
}

const minutesFrom = (before: string, after: string): number => (Date.parse(after) - Date.parse(before)) / 60_000;

test('an incident reported on Route Planning is on the Dashboard of another browser, moves times, and moves them back', async () => {
  const browser = await chromium.launch(launchOptions);
  const manager = await personAt(browser, 'manager@demo.milkrun.local');
  const admin = await personAt(browser, 'admin@demo.milkrun.local');
  const title = `Burst main ${Date.now()}`;

  const openOf = (route: Route) => route.stops.filter((stop) => !stop.completed);
  const route = (await todaysRoutes(manager)).find((one) => one.status !== 'completed' && openOf(one).length > 2);
  const [, middle] = route ? openOf(route).slice(-2) : [];
  expect(middle, 'a route of today with stops to come').toBeTruthy();
  const last = async (): Promise<Stop | undefined> =>
    (await todaysRoutes(manager)).find((one) => one.id === route?.id)?.stops.at(-1);
  const before = (await last())?.estimatedArrival ?? '';

  await admin.goto('/');
  await expect(admin.getByRole('heading', { name: "Today's Route" }).last()).toBeVisible();
  await expect(admin.getByText(title)).toHaveCount(0);

  await manager.goto('/route-planning');
  await manager.getByRole('button', { name: 'Report', exact: true }).click();
  const dialog = manager.getByRole('dialog');
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Severity').selectOption('critical');
  await dialog.getByLabel('Latitude').fill(middle?.latitude ?? '');
  await dialog.getByLabel('Longitude').fill(middle?.longitude ?? '');
  await dialog.getByLabel('Radius').fill('1');
  await dialog.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(dialog).toBeHidden();

  // The other browser hears of it by itself: on its map at once, and in the times of the stops.
  const mark = admin.getByRole('button', { name: new RegExp(`^${title}`) });
  await expect(mark).toHaveCount(1);
  await expect.poll(async () => minutesFrom(before, (await last())?.estimatedArrival ?? '')).toBeGreaterThan(0.5);
  if (route) await admin.getByRole('button', { name: route.routeDesignation, exact: true }).first().click();
  await expect(admin.getByText(new RegExp(`\\+\\d+ min, .*${title}`)).first()).toBeAttached();

  await manager.getByRole('button', { name: `Resolve ${title}` }).click();
  await expect(manager.getByRole('button', { name: `Resolve ${title}` })).toBeHidden();
  await expect(mark).toHaveCount(0);
  await expect(admin.getByText(new RegExp(`\\+\\d+ min, .*${title}`))).toHaveCount(0);
  await expect.poll(async () => minutesFrom(before, (await last())?.estimatedArrival ?? '')).toBeCloseTo(0, 1);
  await browser.close();
});
