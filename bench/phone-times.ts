import { existsSync } from 'node:fs';
import { type CDPSession, chromium, devices, type Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { signInAs } from '../server/auth/service.ts';
import { firstRow, rows } from '../server/db/database.ts';
import { today } from '../server/settings/service.ts';
import type { Running } from '../server/start.ts';

const slots = 60;
const stops = 25;
const rounds = 9;
/** A thumb stays this long on the glass. */
const restMs = 80;
const slower = 4;
/** Longer than any opening takes: then the tap has opened something else. */
const patienceMs = 20_000;
const goals = { open: 100, airplane: 1000 };

/** Machines of so many slots: that of the next stop, and one further on. */
export type Field = {
  driverId: number;
  next: string;
  other: string;
  otherId: number;
  machineIds: number[];
  routeId: number;
};

/**
 * What a driver waits for in Chromium: from the lifted thumb to the front of a machine of 60 slots drawn, with the processor slowed
 * four times, and for a route of 25 stops opened in airplane mode. Adds slots and a route to the operator it is given.
 */
export async function phoneTimes(running: Running, say: (line: string) => void): Promise<boolean> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    say('SKIPPED: phone-times. It needs Chromium; name it by CHROMIUM_PATH.');
    return true;
  }
  const { deps, address } = running;
  const field = await prepare(running);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
  try {
    const context = await browser.newContext({ ...devices['Pixel 7'], viewport: { width: 390, height: 844 } });
    const [name = '', value = ''] = (await signInAs(deps, field.driverId)).split('=');
    await context.addCookies([{ name, value, url: address }]);
    const page = await context.newPage();
    await page.goto(`${address}/mobile-inventory`);
    await page.getByText(/^Last sync: \d/).waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.goto(`${address}/daily-schedule?route=${field.routeId}`);
    await page
      .getByText(/units to bring$/)
      .first()
      .waitFor();
    const phone = await context.newCDPSession(page);
    await phone.send('Emulation.setCPUThrottlingRate', { rate: slower });
    const opened = await openings(page, phone, { address, machine: field.next });
    const others = await openings(page, phone, { address, machine: field.other });
    await context.setOffline(true);
    const slow = await openingsOfRoute(page, field, address);
    await phone.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const plain = await openingsOfRoute(page, field, address);
    say(`${rounds} rounds, median and worst in ms`);
    const isOpened = tell(say, `next stop: lifted thumb to ${slots} slots, ${slower} times slower`, opened, goals.open);
    const isOther = tell(say, `another: lifted thumb to ${slots} slots, ${slower} times slower`, others, goals.open);
    say(`  at the first opening ${opened[0]?.toFixed(0)} and ${others[0]?.toFixed(0)}`);
    tell(say, `route of ${stops} stops in airplane mode, ${slower} times slower`, slow, null);
    const isFlown = tell(say, `route of ${stops} stops in airplane mode`, plain, goals.airplane);
    return isOpened && isOther && isFlown;
  } finally {
    await browser.close();
  }
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

/** A route of so many stops for a driver, two of them, or all, machines of so many slots. */
export async function prepare({ deps, address }: Running, isEachLarge = false): Promise<Field> {
  const { db } = deps;
  const people = await firstRow<{ driver: number; manager: number }>(
    db,
    sql`select (select id from users where role = 'field_worker' and is_active order by id limit 1) as driver,
               (select id from users where role = 'route_manager' and is_active order by id limit 1) as manager`,
  );
  const machines = await rows<{ id: number; name: string }>(
    db,
    sql`select id, name from vending_machines where deleted_at is null order by id limit ${stops}`,
  );
  const [first, , , other] = machines;
  if (!people || !first || !other || machines.length < stops)
    throw new Error('The times of a phone need a filled operator.');
  for (const { id } of isEachLarge ? machines : [first, other]) {
    await db.execute(
      sql`insert into vending_machine_inventory (machine_id, product_id, product_name, slot_number, current_quantity, max_quantity, price)
          select ${id}, p.id, p.name, chr(ascii('P') + n / 10) || n % 10 + 1, n % 9, 10, 2.50
          from generate_series(1, ${slots} - (select slot_count from vending_machines where id = ${id})) n
          cross join lateral (select id, name from products order by id offset n % 40 limit 1) p`,
    );
  }
  const reply = await fetch(`${address}/api/routes`, {
    method: 'POST',
    headers: {
      cookie: await signInAs(deps, people.manager),
      origin: address,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      name: 'Of the bench',
      date: await today(db, deps.clock),
      driverId: people.driver,
      stops: machines.map(({ id }) => ({ type: 'vending_machine', id })),
    }),
  });
  if (!reply.ok) throw new Error(`The route was not made: ${await reply.text()}`);
  const { id } = (await reply.json()) as { id: number };
  const machineIds = machines.map((machine) => machine.id);
  return { driverId: people.driver, next: first.name, other: other.name, otherId: other.id, machineIds, routeId: id };
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
    window.drawn = new Promise((resolve) => {
      const look = () => {
        const front = document.querySelector('[aria-label="Machine front"]');
        const isShown = front?.checkVisibility({ visibilityProperty: true });
        if (!lifted || !isShown || front.querySelectorAll('button').length < ${slots}) return requestAnimationFrame(look);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - lifted);
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    });
    null;
  }`;

const whenStopsAreThere = `
  new Promise((resolve) => {
    const look = () => {
      if (document.querySelectorAll('main ol > li').length < ${stops}) return requestAnimationFrame(look);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  })`;

async function openingsOfRoute(page: Page, field: Field, address: string): Promise<number[]> {
  const times: number[] = [];
  while (times.length < rounds) {
    await page.goto('about:blank');
    await page.goto(`${address}/daily-schedule?route=${field.routeId}`, { waitUntil: 'commit' });
    times.push(await page.evaluate<number>(whenStopsAreThere));
  }
  return times;
}
