import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type BrowserContext, type CDPSession, chromium, devices, type Page } from '@playwright/test';
import { signInAs } from '../server/auth/service.ts';
import type { Running } from '../server/start.ts';
import { type Field, prepare } from './phone-times.ts';

const taps = 30;
const slower = 4;
const events = 900;
/** Megabit a second, and there and back. */
const link = { latency: 300, downloadThroughput: 125_000, uploadThroughput: 125_000 };
const goals = { durable: 50, durableSlow: 150, sentSeconds: 30 };

/**
 * What a driver's day asks of a phone: from a tap to the draft on the disk, and a whole day of counts made without a network on its
 * way over a bad link. Adds slots and a route to the operator it is given.
 */
export async function phoneDay(running: Running, say: (line: string) => void): Promise<boolean> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    say('SKIPPED: phone-day. It needs Chromium; name it by CHROMIUM_PATH.');
    return true;
  }
  const field = await prepare(running, true);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
  try {
    const context = await browser.newContext({ ...devices['Pixel 7'], viewport: { width: 390, height: 844 } });
    await context.addInitScript(noteDurable);
    const page = await signedIn(context, running, field);
    const phone = await context.newCDPSession(page);
    await open(page, running.address, field.otherId);
    const plain = await tapTimes(page, 0);
    await phone.send('Emulation.setCPUThrottlingRate', { rate: slower });
    const slow = await tapTimes(page, 1);
    await phone.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const isDurable = tell(say, 'tap to draft on the disk', plain, goals.durable);
    const isDurableSlow = tell(say, `the same, ${slower} times slower`, slow, goals.durableSlow);
    await context.setOffline(true);
    const made = await countEverything(page, running.address, field);
    if (made < events) {
      say(`  only ${made} of ${events} counts waited on the phone: their way to the server was not measured`);
      return false;
    }
    const seconds = await sendAll(context, page, phone);
    const isSent = seconds <= goals.sentSeconds;
    say(
      `  ${made} counts over 1 Mbit/s and 300 ms: ${seconds.toFixed(1)} s  goal ${goals.sentSeconds} ${judged(isSent)}`,
    );
    return isDurable && isDurableSlow && isSent;
  } finally {
    await browser.close();
  }
}

const judged = (isMet: boolean): string => (isMet ? 'met' : 'missed');

function tell(say: (line: string) => void, what: string, times: readonly number[], goal: number): boolean {
  const sorted = times.toSorted((a, b) => a - b);
  const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.POSITIVE_INFINITY;
  const median = sorted[sorted.length >> 1] ?? 0;
  say(`  ${what}: median ${median.toFixed(0)}, p95 ${p95.toFixed(0)} ms  goal ${goal} ${judged(p95 <= goal)}`);
  return p95 <= goal;
}

async function signedIn(context: BrowserContext, { deps, address }: Running, field: Field): Promise<Page> {
  const [name = '', value = ''] = (await signInAs(deps, field.driverId)).split('=');
  await context.addCookies([{ name, value, url: address }]);
  const page = await context.newPage();
  await page.goto(`${address}/mobile-inventory`);
  await page.getByText(/^Last sync: \d/).waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  return page;
}

async function open(page: Page, address: string, id: number): Promise<void> {
  await page.goto(`${address}/mobile-inventory?type=vending_machine&id=${id}`);
  await page.getByRole('button', { name: /^Fill to par/ }).waitFor();
}

/** In the page: when a change of drafts was last on the disk, and when a finger was last lifted. */
const noteDurable = `
  window.durable = { lifted: 0, at: 0 };
  addEventListener('pointerup', (event) => (window.durable = { lifted: event.timeStamp, at: 0 }), { capture: true });
  // As on a phone that has no background sync: the network cut from the page alone would leave the worker's.
  Object.defineProperty(ServiceWorkerRegistration.prototype, 'sync', { value: undefined });
  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (stores, mode, options) {
    const transaction = begin.call(this, stores, mode, options);
    if (mode === 'readwrite' && [].concat(stores).includes('drafts'))
      transaction.addEventListener('complete', () => (window.durable.at ||= performance.now()));
    return transaction;
  };`;

const fromTapToDisk = `
  new Promise((resolve) => {
    const look = () => {
      const { lifted, at } = window.durable;
      if (lifted > 0 && at > 0) resolve(at - lifted);
      else requestAnimationFrame(look);
    };
    look();
  })`;

async function tapTimes(page: Page, slot: number): Promise<number[]> {
  await page.getByLabel('Machine front').getByRole('button').nth(slot).click();
  const more = page.getByRole('button', { name: /^One (more|less) of/ });
  const times: number[] = [];
  while (times.length < taps) {
    await more.nth(times.length % 2).click({ force: true });
    times.push(await page.evaluate<number>(fromTapToDisk));
  }
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).waitFor({ state: 'detached' });
  return times;
}

/** Fills machine after machine to par until so many changes wait on the phone. */
async function countEverything(page: Page, address: string, { machineIds }: Field): Promise<number> {
  let made = 0;
  for (const id of machineIds) {
    await open(page, address, id);
    await page.getByRole('button', { name: /^Fill to par/ }).click();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByRole('button', { name: 'Save Changes' }).waitFor({ state: 'detached' });
    made = await page.evaluate<number>(unsent);
    if (made >= events) break;
  }
  return made;
}

/** In the page: how many changes wait to be sent. */
const unsent = `
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('milkrun');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const all = opening.result.transaction('outbox').objectStore('outbox').getAll();
      all.onsuccess = () => {
        opening.result.close();
        resolve(all.result.filter((entry) => entry.status === 'unsent').length);
      };
    };
  })`;

async function sendAll(context: BrowserContext, page: Page, phone: CDPSession): Promise<number> {
  await phone.send('Network.enable');
  await phone.send('Network.emulateNetworkConditions', { offline: false, ...link });
  const at = performance.now();
  await context.setOffline(false);
  const seconds = (): number => (performance.now() - at) / 1000;
  while (seconds() < 10 * goals.sentSeconds && (await page.evaluate<number>(unsent)) > 0) await delay(250);
  return seconds();
}
