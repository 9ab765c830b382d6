import { existsSync } from 'node:fs';
import { type BrowserContext, type CDPSession, chromium, devices, type Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { signInAs } from '../../server/auth/service.ts';
import { firstRow, rows } from '../../server/db/database.ts';
import { today } from '../../server/settings/service.ts';
import type { Running } from '../../server/start.ts';
import { signedIn } from '../signed-in.ts';

export const slots = 60;
export const stops = 25;
/** How many times the processor is slowed: a desktop's to that of a phone. */
export const slower = 4;

/** Machines of so many slots: that of the next stop, and one further on. */
export type Field = {
  driverId: number;
  next: string;
  other: string;
  otherId: number;
  machineIds: number[];
  routeId: number;
};

export type Phone = { context: BrowserContext; page: Page; devTools: CDPSession; field: Field; address: string };

type Asked = {
  /** Whether every machine of the route is of so many slots, or two of them. */
  isEachLarge: boolean;
  /** Runs in each page before its own scripts. */
  initScript?: string;
  say: (line: string) => void;
};

/**
 * A driver's phone in Chromium, signed in, with everything downloaded and its service worker ready. Adds slots and a route to the
 * operator it is given. Skipped, and said so, where there is no Chromium.
 */
export async function onPhone(
  running: Running,
  { isEachLarge, initScript, say }: Asked,
  measure: (phone: Phone) => Promise<boolean>,
): Promise<boolean> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    say('SKIPPED: the phone. It needs Chromium; name it by CHROMIUM_PATH.');
    return true;
  }
  const { deps, address } = running;
  const field = await prepare(running, isEachLarge);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
  try {
    const context = await browser.newContext({ ...devices['Pixel 7'], viewport: { width: 390, height: 844 } });
    if (initScript) await context.addInitScript(initScript);
    const [name = '', value = ''] = (await signInAs(deps, field.driverId)).split('=');
    await context.addCookies([{ name, value, url: address }]);
    const page = await context.newPage();
    await page.goto(`${address}/mobile-inventory`);
    await page.getByText(/^Last sync: \d/).waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    return await measure({ context, page, devTools: await context.newCDPSession(page), field, address });
  } finally {
    await browser.close();
  }
}

/** A route of so many stops for a driver, two of them, or all, machines of so many slots. */
async function prepare({ deps, address }: Running, isEachLarge: boolean): Promise<Field> {
  const { db } = deps;
  const driver = await firstRow<{ id: number }>(
    db,
    sql`select id from users where role = 'field_worker' and is_active order by id limit 1`,
  );
  const machines = await rows<{ id: number; name: string }>(
    db,
    sql`select id, name from vending_machines where deleted_at is null order by id limit ${stops}`,
  );
  const [first, , , other] = machines;
  if (!driver || !first || !other || machines.length < stops)
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
      cookie: await signedIn(deps),
      origin: address,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      name: 'Of the bench',
      date: await today(db, deps.clock),
      driverId: driver.id,
      stops: machines.map(({ id }) => ({ type: 'vending_machine', id })),
    }),
  });
  if (!reply.ok) throw new Error(`The route was not made: ${await reply.text()}`);
  const { id } = (await reply.json()) as { id: number };
  const machineIds = machines.map((machine) => machine.id);
  return { driverId: driver.id, next: first.name, other: other.name, otherId: other.id, machineIds, routeId: id };
}
