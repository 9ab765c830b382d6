import { expect, test } from '@playwright/test';
import { arrives, firstPage, newFolder, openPhone, saveOneCount } from '../field-phone.ts';
import { enterAs, openBrowser } from '../people.ts';

test('two people count one slot differently: both are told, and the manager says which count holds', async () => {
  const { browser, hand } = await openPhone('differing');
  const saved = await saveOneCount(hand);
  await arrives(hand, saved);
  const office = await openBrowser(newFolder('review'));
  const desk = await firstPage(office);
  await enterAs(desk, 'manager@demo.milkrun.local');
  // Somebody else counts the same slot right after, by another program.
  const other = saved.quantity > 0 ? saved.quantity - 1 : 1;
  const second = await desk.request.put(`/api/vending-machine-inventory/${saved.slotId}`, {
    data: { currentQuantity: other },
  });
  expect(second.ok()).toBe(true);
  await expect(hand.getByRole('list', { name: 'Counts that differ' })).toContainText(
    `You counted ${saved.quantity} at`,
  );
  await desk.goto('/?needs=count-conflict');
  await desk.getByRole('link', { name: 'Review' }).first().click();
  await expect(desk.getByRole('heading', { name: 'Counts to Review' })).toBeVisible();
  const region = desk.getByRole('region', { name: 'Counts that differ' });
  const keep = region.getByRole('button', { name: `Keep ${saved.quantity}`, exact: true });
  await keep.click();
  await expect(region).toContainText('No counts differ.');
  await desk.getByRole('button', { name: 'Undo' }).click();
  await keep.click();
  await expect(region).toContainText('No counts differ.');
  await arrives(hand, saved);
  await hand.getByRole('button', { name: 'Back' }).click();
  await hand.getByRole('button', { name: 'Refresh' }).click();
  await expect(hand.getByRole('list', { name: 'Counts that differ' })).toContainText('Your count holds.');
  await office.close();
  await browser.close();
});
