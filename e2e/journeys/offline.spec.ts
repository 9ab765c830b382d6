import { expect, test } from '@playwright/test';
import { arrives, firstPage, kill, openMachine, openPhone, saveOneCount } from '../field-phone.ts';
import { openBrowser, phone } from '../people.ts';

test('a count saved without signal outlives the death of the browser', async () => {
  const { browser: before, folder } = await openPhone('killed');
  // A browser that was closed once has its cookies on the disk.
  await before.close();
  const browser = await openBrowser(folder, phone);
  const hand = await firstPage(browser);
  await openMachine(hand);
  await browser.setOffline(true);
  const saved = await saveOneCount(hand);
  const place = hand.url();
  kill(folder);
  const again = await openBrowser(folder, phone);
  const page = await firstPage(again);
  await page.goto(place);
  await arrives(page, saved);
  await again.close();
});

test('two tabs with signal at once send each count once', async () => {
  const { browser, hand } = await openPhone('tabs');
  const second = await browser.newPage();
  await second.goto(hand.url());
  await browser.setOffline(true);
  const saved = await saveOneCount(hand);
  await browser.setOffline(false);
  await arrives(hand, saved);
  await arrives(second, saved);
  await browser.close();
});

test('a phone whose clock is a day ahead counts as well', async () => {
  const { browser, hand } = await openPhone('clock');
  const place = hand.url();
  await browser.clock.install({ time: Date.now() + 24 * 3_600_000 });
  await hand.goto(place);
  const saved = await saveOneCount(hand);
  await arrives(hand, saved);
  await browser.close();
});

test('a clock that is set back between two counts does not turn their order', async () => {
  const { browser, hand } = await openPhone('set-back');
  const place = hand.url();
  await browser.setOffline(true);
  await saveOneCount(hand);
  await browser.setOffline(false);
  await browser.clock.install({ time: Date.now() - 3 * 3_600_000 });
  await hand.goto(place);
  await expect(hand.getByRole('region', { name: 'Machine front' })).toBeVisible();
  const saved = await saveOneCount(hand);
  await arrives(hand, saved);
  await browser.close();
});

test('what is unsent for more than a day is told in red', async () => {
  const { browser, hand } = await openPhone('a-day');
  const place = hand.url();
  // The network is there, but the server's door for changes is shut.
  await browser.route('**/api/sync/events', (route) => route.abort());
  const saved = await saveOneCount(hand);
  await browser.clock.install({ time: Date.now() + 25 * 3_600_000 });
  await hand.goto(place);
  const warning = hand.getByRole('alert').filter({ hasText: 'unsent for more than 24 hours' });
  await expect(warning).toBeVisible();
  await browser.unroute('**/api/sync/events');
  await hand.reload();
  await arrives(hand, saved);
  await expect(warning).toBeHidden();
  await browser.close();
});
