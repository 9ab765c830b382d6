import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { address, enterAs, openBrowser, phone } from './people.ts';

export const driver = 'driver202@demo.milkrun.local';
/** A folder of its own, e.g. for a browser's profile, until all journeys have ended. */
export const newFolder = (name: string): string =>
  mkdtempSync(path.join(process.env.MILKRUN_FOLDERS ?? '', `${name}-`));
export const firstPage = async (browser: BrowserContext): Promise<Page> => browser.pages()[0] ?? browser.newPage();

/** Ends every process of a browser at once, as an empty battery does. */
export function kill(browserProfile: string): void {
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(browserProfile)) process.kill(Number(id), 'SIGKILL');
    } catch {
      // The process ended while we looked.
    }
  }
}

type Kept = {
  id: string;
  type: string;
  status: string;
  userId: number;
  event: { itemId?: number; quantity?: number; visitId?: string };
};

/** What the phone itself holds, without asking the screen. */
export function outbox(page: Page): Promise<Kept[]> {
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

export const counts = async (page: Page) => (await outbox(page)).filter((entry) => entry.type === 'stock-event');

type OpenPhone = { browser: BrowserContext; hand: Page; folder: string };

/** A signed-in phone with a machine of the route on the screen. Only who signs in through the screen names the phone to the server. */
export async function openPhone(name: string, enter = enterAs): Promise<OpenPhone> {
  const folder = newFolder(name);
  const browser = await openBrowser(folder, phone);
  const hand = await firstPage(browser);
  await enter(hand, driver);
  await openMachine(hand);
  return { browser, hand, folder };
}

/** Opens the first machine of the route once everything is on the phone. */
export async function openMachine(hand: Page): Promise<void> {
  await hand.goto('/mobile-inventory');
  await expect(hand.getByText(/^Last sync: \d/)).toBeVisible();
  await hand.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await hand.getByRole('tab', { name: /Vending/ }).click();
  await hand.getByRole('listitem').getByRole('button').first().click();
  await expect(hand.getByRole('region', { name: 'Machine front' })).toBeVisible();
  // The address follows the screen.
  await expect(hand).toHaveURL(/[?&]id=\d/);
}

/** One tap on the first slot of the machine, down or up. */
export async function tapOnce(hand: Page): Promise<void> {
  await hand.getByRole('region', { name: 'Machine front' }).getByRole('button').first().click();
  const less = hand.getByRole('button', { name: /^One less of/ }).first();
  const more = hand.getByRole('button', { name: /^One more of/ }).first();
  await ((await less.isEnabled()) ? less : more).click();
}

/** Changes the first slot by one and saves; gives back the count as the phone keeps it. */
export async function saveOneCount(hand: Page): Promise<{ slotId: number; quantity: number }> {
  const before = (await counts(hand)).length;
  await tapOnce(hand);
  await hand.getByRole('button', { name: 'Save Changes' }).click();
  // Kept as it was seen first: once it is sent the phone may let go of it.
  let saved: Awaited<ReturnType<typeof counts>>[number] | undefined;
  await expect
    .poll(async () => {
      const all = await counts(hand);
      saved = all.at(-1);
      return all.length;
    })
    .toBe(before + 1);
  const { itemId = 0, quantity = -1 } = saved?.event ?? {};
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

export async function arrives(hand: Page, saved: { slotId: number; quantity: number }): Promise<void> {
  await expect.poll(async () => (await counts(hand)).map((entry) => entry.status)).not.toContain('unsent');
  expect(await serverQuantity(hand, saved.slotId)).toBe(saved.quantity);
}
