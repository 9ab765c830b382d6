import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { Running } from '../../server/start.ts';
import { type Field, onPhone, type Phone, slower } from './a-phone.ts';

const taps = 30;
const events = 900;
/** Megabit a second, and there and back. */
const link = { latency: 300, downloadThroughput: 125_000, uploadThroughput: 125_000 };
const goals = { durable: 50, durableSlow: 150, sentSeconds: 30 };

/**
 * What a driver's day asks of a phone: from a tap to the draft on the disk, and a whole day of counts made without a network on its
 * way over a bad link. Adds slots and a route to the operator it is given.
 */
export function phoneDay(running: Running, say: (line: string) => void): Promise<boolean> {
  return onPhone(running, { isEachLarge: true, initScript: noteDurable, say }, async (phone) => {
    const { page, devTools, field, address } = phone;
    await open(page, address, field.otherId);
    const plain = await tapTimes(page, 0);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower });
    const slow = await tapTimes(page, 1);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const isDurable = tell(say, 'tap to draft on the disk', plain, goals.durable);
    const isDurableSlow = tell(say, `the same, ${slower} times slower`, slow, goals.durableSlow);
    await devTools.send('Network.enable');
    await devTools.send('Network.emulateNetworkConditions', { ...link, offline: true });
    const made = await countEverything(page, address, field);
    if (made < events) {
      say(`  only ${made} of ${events} counts waited on the phone: their way to the server was not measured`);
      return false;
    }
    const seconds = await sendAll(phone);
    const isSent = seconds <= goals.sentSeconds;
    say(
      `  ${made} counts over 1 Mbit/s and 300 ms: ${seconds.toFixed(1)} s  goal ${goals.sentSeconds} ${judged(isSent)}`,
    );
    return isDurable && isDurableSlow && isSent;
  });
}

const judged = (isMet: boolean): string => (isMet ? 'met' : 'missed');

function tell(say: (line: string) => void, what: string, times: readonly number[], goal: number): boolean {
  const sorted = times.toSorted((a, b) => a - b);
  const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.POSITIVE_INFINITY;
  const median = sorted[sorted.length >> 1] ?? 0;
  say(`  ${what}: median ${median.toFixed(0)}, p95 ${p95.toFixed(0)} ms  goal ${goal} ${judged(p95 <= goal)}`);
  return p95 <= goal;
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
  await save(page);
  return times;
}

/** Fills machine after machine to par until so many changes wait on the phone. */
async function countEverything(page: Page, address: string, { machineIds }: Field): Promise<number> {
  let made = 0;
  for (const id of machineIds) {
    await open(page, address, id);
    await page.getByRole('button', { name: /^Fill to par/ }).click();
    await save(page);
    made = await page.evaluate<number>(unsent);
    if (made >= events) break;
  }
  return made;
}

/** Gone is the bar only once the changes are on the disk; its button reads otherwise while it saves. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByRole('region', { name: 'Changes to save' }).waitFor({ state: 'detached' });
}

/** In the page: how many counts wait to be sent. */
const unsent = `
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('milkrun');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const all = opening.result.transaction('outbox').objectStore('outbox').getAll();
      all.onsuccess = () => {
        opening.result.close();
        resolve(all.result.filter(({ type, status }) => type === 'stock-event' && status === 'unsent').length);
      };
    };
  })`;

async function sendAll({ page, devTools }: Phone): Promise<number> {
  const at = performance.now();
  await devTools.send('Network.emulateNetworkConditions', { ...link, offline: false });
  const seconds = (): number => (performance.now() - at) / 1000;
  while (seconds() < 10 * goals.sentSeconds && (await page.evaluate<number>(unsent)) > 0) await delay(250);
  return seconds();
}
