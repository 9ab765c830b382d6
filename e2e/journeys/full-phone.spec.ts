import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { arrives, counts, openPhone, saveOneCount, tapOnce } from '../field-phone.ts';
import { address } from '../people.ts';

test('a full phone says NOT saved, gives the changes out as a file, and keeps them once there is room', async () => {
  const { browser, hand } = await openPhone('full');
  const tools = await browser.newCDPSession(hand);
  const origin = address();
  await tools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  const blocking = hand.getByRole('dialog', { name: 'NOT saved' });
  await expect(async () => {
    // The browser looks at the space that is left every half a minute only.
    if (!(await blocking.isVisible())) await tapOnce(hand);
    expect(await blocking.isVisible()).toBe(true);
  }).toPass({ timeout: 90_000 });
  const download = hand.waitForEvent('download');
  await blocking.getByRole('button', { name: 'Export to a file' }).click();
  const file = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  expect(file.onScreen).toHaveLength(1);
  // Still no room: another try asks again.
  await blocking.getByRole('button', { name: 'Try again' }).click();
  await expect(blocking).toBeVisible();
  expect(await counts(hand)).toEqual([]);
  await tools.send('Storage.overrideQuotaForOrigin', { origin });
  await blocking.getByRole('button', { name: 'Try again' }).click();
  await expect(blocking).toBeHidden();
  await hand.getByRole('button', { name: 'Save Changes' }).click();
  await expect.poll(async () => (await counts(hand)).length).toBe(1);
  const [kept] = await counts(hand);
  const { itemId = 0, quantity = -1 } = kept?.event ?? {};
  expect(quantity).toBe(file.onScreen[0].change.quantity);
  await arrives(hand, { slotId: itemId, quantity });
  await browser.close();
});

test('what a full phone had saved before is sent all the same, and leaves it', async () => {
  const { browser, hand } = await openPhone('full-sends');
  await browser.setOffline(true);
  const saved = await saveOneCount(hand);
  const tools = await browser.newCDPSession(hand);
  const origin = address();
  await tools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  const blocking = hand.getByRole('dialog', { name: 'NOT saved' });
  await expect(async () => {
    if (!(await blocking.isVisible())) await tapOnce(hand);
    expect(await blocking.isVisible()).toBe(true);
  }).toPass({ timeout: 90_000 });
  await browser.setOffline(false);
  await expect.poll(async () => (await counts(hand)).map(({ status }) => status), { timeout: 90_000 }).toEqual([]);
  await arrives(hand, saved);
  await tools.send('Storage.overrideQuotaForOrigin', { origin });
  await browser.close();
});
