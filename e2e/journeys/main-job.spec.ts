import { expect, type Page, test } from '@playwright/test';
import { firstPage, kill, newFolder } from '../field-phone.ts';
import { office, openBrowser, phone, signIn } from '../people.ts';

/** The manager's part: three machines of route 101, in the best order, given to its driver for today. */
async function planRoute(desk: Page, name: string): Promise<void> {
  await desk.goto('/route-planning');
  await desk
    .getByRole('region', { name: 'Select Locations' })
    .getByRole('combobox')
    .selectOption({ label: 'Route 101' });
  await desk.getByRole('tab', { name: /Vending Machines/ }).click();
  const boxes = desk.getByRole('tabpanel').getByRole('checkbox');
  for (const n of [0, 1, 2]) await boxes.nth(n).check();
  await expect(desk.getByText('3 location(s) selected')).toBeVisible();
  await desk.getByRole('button', { name: 'Optimize Route' }).last().click();
  await expect(desk.getByText('Route Optimized', { exact: true })).toBeVisible();
  await desk.getByRole('button', { name: 'Create New Route' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog
    .getByLabel('Date')
    .fill(new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date()));
  const driver = dialog.getByLabel('Driver').locator('option', { hasText: '101' }).first();
  await dialog.getByLabel('Driver').selectOption((await driver.getAttribute('value')) ?? '');
  await dialog.getByRole('button', { name: /^(Create|Save)/ }).click();
  await expect(dialog).toBeHidden();
}

/** Opens the first stop's machine and sets its first slot to a number that it does not hold now. */
async function countFirstSlot(hand: Page): Promise<{ slot: string; quantity: number }> {
  const front = hand.getByRole('region', { name: 'Machine front' });
  await front.getByRole('button').first().click();
  const before = await shownQuantity(hand);
  const step = before > 0 ? 'One less of' : 'One more of';
  await hand
    .getByRole('button', { name: new RegExp(`^${step}`) })
    .first()
    .click();
  const quantity = before > 0 ? before - 1 : before + 1;
  await expect.poll(() => shownQuantity(hand)).toBe(quantity);
  const label =
    (await hand
      .getByRole('group', { name: /^Quantity of/ })
      .first()
      .getAttribute('aria-label')) ?? '';
  return { slot: label.replace('Quantity of ', ''), quantity };
}

async function shownQuantity(hand: Page): Promise<number> {
  const label = await hand
    .getByRole('button', { name: /Hold to type a number/ })
    .first()
    .getAttribute('aria-label');
  return Number(/: (\d+)/.exec(label ?? '')?.[1]);
}

test('plan a route, drive it without signal, kill the browser, and every count arrives once', async () => {
  const route = `Journey ${Date.now()}`;
  const officeBrowser = await openBrowser(newFolder('office'), office);
  const desk = await firstPage(officeBrowser);
  await signIn(desk, 'manager@demo.milkrun.local');
  await planRoute(desk, route);

  const phoneProfile = newFolder('phone');
  let phoneBrowser = await openBrowser(phoneProfile, phone);
  let hand = await firstPage(phoneBrowser);
  await signIn(hand, 'driver101@demo.milkrun.local');
  // Signed in yesterday: a browser writes its cookies to disk at leisure, or when it is closed.
  await phoneBrowser.close();
  phoneBrowser = await openBrowser(phoneProfile, phone);
  hand = await firstPage(phoneBrowser);
  await hand.goto('/daily-schedule');
  const card = hand.getByRole('listitem').filter({ hasText: route });
  await card.getByRole('button', { name: 'Start Route' }).click();
  await expect(hand.getByText('Route Started', { exact: true })).toBeVisible();
  const place =
    (await hand
      .getByRole('listitem')
      .filter({ hasText: 'Mark Complete' })
      .first()
      .locator('.text-16')
      .first()
      .textContent()) ?? '';
  await hand.goto('/mobile-inventory');
  await expect(hand.getByText(/^Last sync: \d/)).toBeVisible();
  await hand.waitForFunction(
    () => navigator.serviceWorker.controller !== null || navigator.serviceWorker.ready.then(() => true),
  );

  await phoneBrowser.setOffline(true);
  await expect(hand.getByText('Offline Mode', { exact: true })).toBeVisible();
  await hand.getByRole('tab', { name: /Vending/ }).click();
  await hand.getByText(place, { exact: true }).filter({ visible: true }).first().click();
  const counted = await countFirstSlot(hand);
  await hand.getByRole('button', { name: 'Save Changes' }).click();
  await expect(hand.getByText('Offline Update', { exact: true })).toBeVisible();

  const address = hand.url();
  kill(phoneProfile);
  phoneBrowser = await openBrowser(phoneProfile, { ...phone, offline: true });
  hand = await firstPage(phoneBrowser);
  await hand.goto(address);
  await expect(hand.getByText('Field Inventory')).toBeVisible();
  // Kept through the kill. The service worker, which the switch above does not reach, may have sent it already.
  const [slotNumber = ''] = counted.slot.split(' ');
  const kept = hand
    .getByRole('region', { name: 'Machine front' })
    .getByRole('button', { name: new RegExp(`^${slotNumber} `) });
  await expect(kept).toHaveAccessibleName(new RegExp(`, ${counted.quantity} of .*saved`));

  await desk.goto('/daily-schedule');
  await desk.getByRole('button').filter({ hasText: route }).click();
  await desk.getByRole('button').filter({ hasText: place }).first().click();
  const line = desk
    .getByRole('list', { name: `Inventory of ${place}` })
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^${slotNumber}`) });

  await phoneBrowser.setOffline(false);
  await expect(line).toContainText(new RegExp(`${counted.quantity}(Good|Low|Empty)$`));

  await hand.goto('/daily-schedule');
  await hand.getByRole('button').filter({ hasText: route }).click();
  for (let n = 0; n < 3; n++) {
    await hand.getByRole('button', { name: 'Mark Complete' }).first().click();
    await expect(hand.getByRole('button', { name: 'Mark Complete' })).toHaveCount(2 - n);
  }
  await expect(
    desk.getByRole('listitem').filter({ hasText: route }).getByText('Completed', { exact: true }),
  ).toBeVisible();
  await phoneBrowser.close();
  await officeBrowser.close();
});
