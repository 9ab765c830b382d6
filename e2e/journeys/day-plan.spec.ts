import { chromium, expect, type Locator, test } from '@playwright/test';
import { address, enterAs, launchOptions, office } from '../people.ts';

/** Drags a stop as a hand does: in small steps onto the upper part of another row, and lets go when the cost is there. */
async function dragOnto(stop: Locator, before: Locator): Promise<void> {
  const mouse = stop.page().mouse;
  await before.scrollIntoViewIfNeeded();
  await stop.hover({ position: { x: 60, y: 12 } });
  await mouse.down();
  const box = await before.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 60, box?.y ?? 0];
  await mouse.move(x, y - 24, { steps: 12 });
  await mouse.move(x, y + 32);
  await expect(before.locator('xpath=ancestor::section').getByRole('status')).toHaveText(/driving/);
  await mouse.up();
}

const [wide, narrow] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** In the page: the marks of a map that lie under what its colours stand for. */
const underLegend = `(() => {
  const legend = document.querySelector('[data-map] ul').getBoundingClientRect();
  return [...document.querySelectorAll('[data-map] [data-mark]')].filter((mark) => {
    const { left, top, right, bottom } = mark.getBoundingClientRect();
    return left < legend.right && right > legend.left && top < legend.bottom && bottom > legend.top;
  }).map((mark) => mark.dataset.mark);
})()`;

test('the day is planned for three drivers: searched, changed by hand, taken back, saved as routes', async () => {
  const browser = await chromium.launch(launchOptions);
  const context = await browser.newContext({ ...office, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'manager@demo.milkrun.local');
  await page.goto('/route-planning');
  await page.getByRole('link', { name: 'Plan the Day' }).click();
  await page.getByRole('button', { name: /^Plan \d+ stops for 3 drivers$/ }).click();

  await expect(page.getByRole('region', { name: 'Search' })).toBeVisible();
  const save = page.getByRole('button', { name: 'Save Routes' });
  // On a busy machine a small day's search may be at its own end before the press.
  await Promise.any([
    page.getByRole('button', { name: 'Stop and keep this plan' }).click(),
    expect(save).toBeEnabled(),
  ]);
  await expect(save).toBeEnabled();
  await page.setViewportSize(narrow);
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(page.locator('[data-map] li')).toHaveCount(3);
  await expect.poll(() => page.evaluate<string[]>(underLegend)).toEqual([]);
  await page.setViewportSize(wide);

  const columns = page.getByRole('region').filter({ has: page.locator('[data-stop]') });
  await expect(columns).toHaveCount(3);
  const first = columns.nth(0);
  const stops = first.getByRole('listitem');
  const before = await stops.count();
  const moved = await stops
    .first()
    .getByRole('button', { name: /^Move / })
    .getAttribute('aria-label');
  await stops
    .first()
    .getByRole('button', { name: /^Move / })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'To' }).selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(columns.nth(1).getByRole('button', { name: moved ?? '' })).toBeVisible();
  await expect(stops).toHaveCount(before - 1);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect(stops).toHaveCount(before);

  const names = (column: Locator): Promise<(string | null)[]> =>
    column
      .getByRole('button', { name: /^Move / })
      .evaluateAll((buttons) => buttons.map((one) => one.getAttribute('aria-label')));
  const [one, two, three, ...rest] = await names(first);
  const [head, ...others] = await names(columns.nth(1));
  // To another place of the same route, to another driver, and back with the keyboard, which keeps the focus.
  await dragOnto(stops.nth(0), stops.nth(2));
  await expect.poll(() => names(first)).toEqual([two, one, three, ...rest]);
  await dragOnto(stops.nth(0), columns.nth(1).getByRole('listitem').nth(1));
  await expect.poll(() => names(columns.nth(1))).toEqual([head, two, ...others]);
  expect(await names(first)).toEqual([one, three, ...rest]);
  const dragged = columns.nth(1).getByRole('button', { name: two ?? '', exact: true });
  await dragged.press('Alt+ArrowUp');
  await expect.poll(() => names(columns.nth(1))).toEqual([two, head, ...others]);
  await expect(dragged).toBeFocused();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => names(first)).toEqual([two, one, three, ...rest]);
  await expect(first.getByRole('button', { name: two ?? '', exact: true })).toBeFocused();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page).toHaveURL(/plan=/);

  await save.click();
  await expect(page.getByText('Routes Created', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Open the day' }).click();
  await expect(page).toHaveURL(/\/daily-schedule\?date=\d{4}-\d{2}-\d{2}/);
  await browser.close();
});

test('what was selected by route and need is planned as it is, and one location less', async () => {
  const browser = await chromium.launch(launchOptions);
  const context = await browser.newContext({ ...office, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'manager@demo.milkrun.local');
  await page.goto('/route-planning?tab=machines');
  const card = page.getByRole('region', { name: 'Select Locations' });
  await card.getByRole('combobox').selectOption({ label: 'Route 101' });
  await card.getByRole('button', { name: /^Low stock/ }).click();
  const all = card.getByRole('button', { name: /^Select all \d+$/ });
  await expect(card.getByRole('checkbox').first()).toBeVisible();
  await all.click();
  await expect(card.getByRole('button', { name: /^Deselect all/ })).toBeVisible();
  const count = Number(/^\d+/.exec((await card.getByText(/location\(s\) selected/).textContent()) ?? '')?.[0]);
  expect(count).toBeGreaterThan(1);
  const map = page.getByRole('region', { name: 'Route Map' });
  await expect(map.getByRole('button', { name: 'Show Others Too' })).toBeVisible();
  await expect(map.getByText(/outside this view/)).toHaveCount(0);
  const first = (await card.getByRole('checkbox').first().getAttribute('aria-label')) ?? '';
  await card.getByRole('searchbox').fill('nothing is called like this');
  await expect(card.getByText(/None matches/)).toBeVisible();
  await expect(card.getByText(`${count} location(s) selected`)).toBeVisible();

  await page.getByRole('link', { name: 'Plan the Day' }).click();
  await page.getByRole('link', { name: 'Route Planning' }).last().click();
  // A map that begins with what is chosen is as near as one that was there before.
  await expect.poll(() => map.locator('[data-map] [data-mark]').count()).toBeGreaterThan(count / 2);
  await page.getByRole('link', { name: 'Plan the Day' }).click();
  await expect(page.getByRole('button', { name: new RegExp(`^Plan ${count} stops? for 1 driver$`) })).toBeEnabled();
  await page.getByRole('combobox', { name: 'Add or leave out a location' }).fill(first);
  await page.getByRole('option', { name: first }).first().click();
  await expect(page.getByText('Left out', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText('Left out', { exact: true })).toBeVisible();
  await page.setViewportSize(narrow);
  await page.getByRole('button', { name: new RegExp(`^Plan ${count - 1} stops? for 1 driver$`) }).click();
  await expect(page).toHaveURL(/plan=/);
  await expect(page.getByRole('heading', { name: 'Plan the Day' })).toBeInViewport();
  await browser.close();
});
