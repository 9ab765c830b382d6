import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { address, openBrowser, phone, signIn } from './people.ts';

const driver = 'driver202@demo.milkrun.local';
const profile = (name: string): string => mkdtempSync(path.join(tmpdir(), `milkrun-${name}-`));
const firstPage = async (browser: BrowserContext): Promise<Page> => browser.pages()[0] ?? browser.newPage();

/** Ends every process of a browser at once, as an empty battery does. */
function kill(browserProfile: string): void {
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(browserProfile)) process.kill(Number(id), 'SIGKILL');
    } catch {
      // The process ended while we looked.
    }
  }
}

type Kept = { id: string; type: string; status: string; event: { itemId?: number; quantity?: number } };

/** What the phone itself holds, without asking the screen. */
function outbox(page: Page): Promise<Kept[]> {
  return page.evaluate(
    () =>
      new Promise<Kept[]>((resolve, reject) => {
        const opening = indexedDB.open('milkrun');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const all = opening.result.transaction('outbox').objectStore('outbox').getAll();
          all.onsuccess = () => {
            opening.result.close();
            resolve(all.result);
          };
        };
      }),
  );
}

const counts = async (page: Page) => (await outbox(page)).filter((entry) => entry.type === 'stock-event');

/** A signed-in phone, closed once so that its cookies are on the disk, with a machine of the route on the screen. */
async function openPhone(name: string): Promise<{ browser: BrowserContext; hand: Page; folder: string }> {
  const folder = profile(name);
  const before = await openBrowser(folder, phone);
  await signIn(await firstPage(before), driver);
  await before.close();
  const browser = await openBrowser(folder, phone);
  const hand = await firstPage(browser);
  await hand.goto('/mobile-inventory');
  await expect(hand.getByText(/^Last sync: \d/)).toBeVisible();
  await hand.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await hand.getByRole('tab', { name: /Vending/ }).click();
  await hand.getByRole('listitem').getByRole('button').first().click();
  await expect(hand.getByRole('region', { name: 'Machine front' })).toBeVisible();
  return { browser, hand, folder };
}

/** Changes the first slot by one and saves; gives back the count as the phone keeps it. */
async function saveOneCount(hand: Page): Promise<{ slotId: number; quantity: number }> {
  const before = (await counts(hand)).length;
  await hand.getByRole('region', { name: 'Machine front' }).getByRole('button').first().click();
  const less = hand.getByRole('button', { name: /^One less of/ }).first();
  const more = hand.getByRole('button', { name: /^One more of/ }).first();
  await ((await less.isEnabled()) ? less : more).click();
  await hand.getByRole('button', { name: 'Save Changes' }).click();
  await expect.poll(async () => (await counts(hand)).length).toBe(before + 1);
  const { itemId = 0, quantity = -1 } = (await counts(hand)).at(-1)?.event ?? {};
  return { slotId: itemId, quantity };
}

/** What the server holds of a slot. */
async function serverQuantity(page: Page, slotId: number): Promise<number | undefined> {
  let cursor = '';
  let found: number | undefined;
  for (;;) {
    const answer = await page.request.get(`${address()}/api/sync/changes${cursor}`);
    const body = await answer.json();
    const slot = body.slots.find((one: { id: number }) => one.id === slotId);
    if (slot) found = slot.currentQuantity;
    if (!body.more) return found;
    cursor = `?cursor=${encodeURIComponent(body.cursor)}`;
  }
}

async function arrives(hand: Page, saved: { slotId: number; quantity: number }): Promise<void> {
  await expect.poll(async () => (await counts(hand)).map((entry) => entry.status)).not.toContain('unsent');
  expect(await serverQuantity(hand, saved.slotId)).toBe(saved.quantity);
}

test('a count saved without signal outlives the death of the browser', async () => {
  const { browser, hand, folder } = await openPhone('killed');
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
