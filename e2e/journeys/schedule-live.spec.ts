import { expect, type Page, test } from '@playwright/test';
import { firstPage, newFolder } from '../field-phone.ts';
import { address, enterAs, office, openBrowser, phone } from '../people.ts';

const row = (page: Page, place: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: place });

type Route = {
  id: number;
  name: string;
  date: string;
  driverName: string;
  stops: { id: number; locationName: string }[];
};

/** A route of its own for the driver of 505, so that the other journeys find theirs as they left them. */
async function planRoute(desk: Page): Promise<Route> {
  const headers = { origin: address() };
  const [machines, choices, scheduled] = await Promise.all(
    ['/api/vending-machines?route=505', '/api/route-choices', '/api/scheduled-routes'].map(async (path) =>
      (await desk.request.get(path)).json(),
    ),
  );
  const driver = choices.drivers.find((one: { routeDesignation: string }) => one.routeDesignation === '505');
  const stops = machines.slice(0, 4).map(({ id }: { id: number }) => ({ type: 'vending_machine', id }));
  const made = await desk.request.post('/api/routes', {
    headers,
    data: { name: `Live ${Date.now()}`, date: scheduled[0].date, driverId: driver.id, stops },
  });
  expect(made.status(), await made.text()).toBe(201);
  return made.json();
}

/** What the audit of the day says happened to the route, by the server's times. */
async function stopsOf(desk: Page, route: Route) {
  return (await (await desk.request.get(`/api/routes/${route.id}`)).json()).stops as {
    completed: boolean;
    skippedReason: string | null;
    actualArrival: string | null;
  }[];
}

test('the office sees a morning driven without signal once the phone is back, in its order and without a reload', async () => {
  const officeBrowser = await openBrowser(newFolder('office-live'), office);
  const desk = await firstPage(officeBrowser);
  await enterAs(desk, 'manager@demo.milkrun.local');
  const route = await planRoute(desk);
  const [first = '', second = '', third = ''] = route.stops.map((stop) => stop.locationName);

  const phoneBrowser = await openBrowser(newFolder('phone-live'), phone);
  const hand = await firstPage(phoneBrowser);
  await enterAs(hand, 'driver505@demo.milkrun.local');
  await hand.goto(`/daily-schedule?route=${route.id}`);
  await expect(hand.getByRole('heading', { name: `Stops of ${route.name}` })).toBeVisible();
  await expect(hand.getByText(/units to bring$/).first()).toBeVisible();
  await hand.evaluate(() => navigator.serviceWorker.ready.then(() => true));

  await desk.goto(`/daily-schedule?route=${route.id}`);
  await expect(desk.getByRole('heading', { name: `Stops of ${route.name}` })).toBeVisible();
  const board = await officeBrowser.newPage();
  await board.goto(`/?route=${route.id}`);
  const onBoard = board.getByRole('list', { name: 'Routes of today' }).getByRole('button', { pressed: true });
  await expect(onBoard).toContainText('0 / 4');
  for (const page of [desk, board]) await page.evaluate(() => Object.assign(window, { sameLoad: true }));

  await phoneBrowser.setOffline(true);
  await row(hand, route.name).getByRole('button', { name: 'Start Route' }).click();
  await row(hand, first).getByRole('button').first().click();
  await hand.getByRole('button', { name: 'Arrive' }).click();
  await hand.getByRole('button', { name: 'Mark Complete' }).click();
  await hand.getByRole('button', { name: 'Back to the stops' }).click();
  await row(hand, second).getByRole('button').first().click();
  await hand.getByRole('button', { name: 'Skip', exact: true }).click();
  await hand.getByRole('button', { name: 'Closed', exact: true }).click();
  await expect(hand.getByText('Skipped: Closed')).toBeVisible();
  await hand.getByRole('button', { name: 'Back to the stops' }).click();
  await row(hand, third).getByRole('button', { name: 'Mark Complete' }).click();
  await expect(row(hand, third)).toContainText('Saved on this device');

  // Nothing of it is known here yet.
  await expect(row(desk, first)).not.toContainText('Done');
  expect((await stopsOf(desk, route)).some((stop) => stop.completed || stop.skippedReason)).toBe(false);

  await phoneBrowser.setOffline(false);
  await expect(row(desk, first)).toContainText('Done');
  await expect(row(desk, second)).toContainText('Skipped: Closed');
  await expect(row(desk, third)).toContainText('Done');
  await expect(row(desk, route.stops[3]?.locationName ?? '')).toContainText('Next');
  await expect(onBoard).toContainText('2 / 4');
  await expect(row(hand, third)).not.toContainText('Saved on this device');
  for (const page of [desk, board]) expect(await page.evaluate(() => 'sameLoad' in window)).toBe(true);
  const [one, two, three] = await stopsOf(desk, route);
  expect(two).toMatchObject({ completed: false, skippedReason: 'Closed' });
  expect(Date.parse(one?.actualArrival ?? '')).toBeLessThan(Date.parse(three?.actualArrival ?? ''));
  await phoneBrowser.close();
  await officeBrowser.close();
});
