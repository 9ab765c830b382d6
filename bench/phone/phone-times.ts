import type { CDPSession, Page } from '@playwright/test';
import type { Running } from '../../server/start.ts';
import { drawnWhen } from '../drawn.ts';
import { type Field, onPhone, slots, slower, stops } from './a-phone.ts';

const rounds = 9;
/** A thumb stays this long on the glass. */
const restMs = 80;
/** Longer than any opening takes: then the tap has opened something else. */
const patienceMs = 20_000;
const goals = { open: 100, airplane: 1000 };

/**
 * What a driver waits for in Chromium: from the lifted thumb to the front of a machine of 60 slots drawn, with the processor slowed
 * four times, and for a route of 25 stops opened in airplane mode. Adds slots and a route to the operator it is given.
 */
export function phoneTimes(running: Running, say: (line: string) => void): Promise<boolean> {
  return onPhone(running, { isEachLarge: false, say }, async ({ context, page, devTools, field, address }) => {
    await page.goto(`${address}/daily-schedule?route=${field.routeId}`);
    await page
      .getByText(/units to bring$/)
      .first()
      .waitFor();
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower });
    const opened = await openings(page, devTools, { address, machine: field.next });
    const others = await openings(page, devTools, { address, machine: field.other });
    await context.setOffline(true);
    const slow = await openingsOfRoute(page, field, address);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const plain = await openingsOfRoute(page, field, address);
    say(`${rounds} rounds, median and worst in ms`);
    const isOpened = tell(say, `next stop: lifted thumb to ${slots} slots, ${slower} times slower`, opened, goals.open);
    const isOther = tell(say, `another: lifted thumb to ${slots} slots, ${slower} times slower`, others, goals.open);
    say(`  at the first opening ${opened[0]?.toFixed(0)} and ${others[0]?.toFixed(0)}`);
    tell(say, `route of ${stops} stops in airplane mode, ${slower} times slower`, slow, null);
    const isFlown = tell(say, `route of ${stops} stops in airplane mode`, plain, goals.airplane);
    return isOpened && isOther && isFlown;
  });
}

function tell(say: (line: string) => void, what: string, times: number[], goal: number | null): boolean {
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[sorted.length >> 1] ?? Number.POSITIVE_INFINITY;
  const worst = sorted.at(-1) ?? Number.POSITIVE_INFINITY;
  const isMet = goal === null || median <= goal;
  const judged = goal === null ? '' : `  goal ${goal} ${isMet ? 'met' : 'missed'}`;
  say(`  ${what.padEnd(52)} ${median.toFixed(0).padStart(6)} ${worst.toFixed(0).padStart(6)}${judged}`);
  return isMet;
}

type Opening = { address: string; machine: string };

async function openings(page: Page, phone: CDPSession, { address, machine }: Opening): Promise<number[]> {
  await page.goto(`${address}/mobile-inventory`);
  await page.getByRole('tab', { name: /Vending/ }).click();
  const cards = page.getByRole('region', { name: 'Locations' }).getByRole('listitem');
  const times: number[] = [];
  while (times.length < rounds) {
    const card = cards.filter({ hasText: machine }).getByRole('button').first();
    await card.scrollIntoViewIfNeeded();
    const box = await card.boundingBox();
    if (!box) throw new Error('The card of the machine is not on the screen.');
    await page.evaluate(waitForDrawnSlots);
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await phone.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
    await new Promise((resolve) => setTimeout(resolve, restMs));
    await phone.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    times.push(
      await within(page.evaluate<number>('window.drawn'), `${machine} did not open; the page is ${page.url()}`),
    );
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('tab', { name: /Vending/ }).waitFor();
  }
  return times;
}

async function within<T>(wanted: Promise<T>, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(sentence)), patienceMs);
  });
  return Promise.race([wanted, late]).finally(() => clearTimeout(timer));
}

/** In the page: promises the milliseconds from the lifted thumb to the end of the frame that shows all slots. */
const waitForDrawnSlots = `
  {
    let lifted = 0;
    addEventListener('pointerup', (event) => (lifted = event.timeStamp), { capture: true, once: true });
    const areAllThere = () => {
      const front = document.querySelector('[aria-label="Machine front"]');
      const isShown = front?.checkVisibility({ visibilityProperty: true });
      return isShown && front.querySelectorAll('button').length >= ${slots};
    };
    window.drawn = ${drawnWhen('lifted && areAllThere()')}.then((at) => at - lifted);
    null;
  }`;

const whenStopsAreThere = drawnWhen(`document.querySelectorAll('main ol > li').length >= ${stops}`);

async function openingsOfRoute(page: Page, field: Field, address: string): Promise<number[]> {
  const times: number[] = [];
  while (times.length < rounds) {
    await page.goto('about:blank');
    await page.goto(`${address}/daily-schedule?route=${field.routeId}`, { waitUntil: 'commit' });
    times.push(await page.evaluate<number>(whenStopsAreThere));
  }
  return times;
}
