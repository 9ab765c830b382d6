import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { arrives, counts, openPhone, saveOneCount, tapOnce } from '../field-phone.ts';
import { address } from '../people.ts';

/** Leaves the phone no room and taps until it says so: the browser looks at the space that is left every half a minute only. */
async function fill(hand: Page) {
  const tools = await hand.context().newCDPSession(hand);
  const origin = address();
  await tools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  const blocking = hand.getByRole('dialog', { name: 'NOT saved' });
  await expect(async () => {
    if (!(await blocking.isVisible())) await tapOnce(hand);
    expect(await blocking.isVisible()).toBe(true);
  }).toPass({ timeout: 90_000 });
  return { blocking, makeRoom: () => tools.send('Storage.overrideQuotaForOrigin', { origin }) };
}

test('a full phone says NOT saved, gives the changes out as a file, and keeps them once there is room', async () => {
  const { browser, hand } = await openPhone('full');
  const { blocking, makeRoom } = await fill(hand);
  const download = hand.waitForEvent('download');
  await blocking.getByRole('button', { name: 'Export to a file' }).click();
  const file = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  expect(file.onScreen).toHaveLength(1);
  // Still no room: another try asks again.
  await blocking.getByRole('button', { name: 'Try again' }).click();
  await expect(blocking).toBeVisible();
  expect(await counts(hand)).toEqual([]);
  await makeRoom();
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
  const { makeRoom } = await fill(hand);
  await browser.setOffline(false);
  await expect.poll(async () => (await counts(hand)).map(({ status }) => status), { timeout: 90_000 }).toEqual([]);
  await arrives(hand, saved);
  await makeRoom();
  await browser.close();
});
