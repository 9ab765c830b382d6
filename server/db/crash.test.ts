import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fold, type Movement } from '../../domain/inventory.ts';
import { bundleProgram, type Child, serveIn } from '../testing/child-server.ts';
import { fillDataFolder } from '../testing/databases/embedded-template.ts';
import { buildItem, buildMarket, buildUser } from '../testing/factories.ts';
import { testApp } from '../testing/test-app.ts';
import { rows } from './database.ts';
import { openEmbedded } from './embedded/embedded.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-crash-'));
const rounds = 3;
const itemCount = 4;
const children: Child[] = [];
let program = '';
let cookie = '';
let items: number[] = [];

beforeAll(async () => {
  program = await bundleProgram();
  await fillDataFolder(folder);
  const test = await testApp(() => openEmbedded(folder));
  test.setNow(new Date());
  const market = await buildMarket(test.deps.db, { routeDesignation: '101' });
  const made = await Promise.all(Array.from({ length: itemCount }, () => buildItem(test.deps.db, market.id)));
  items = made.map((item) => item.id);
  const driver = await buildUser(test.deps.db, { routeDesignation: '101' });
  cookie = (await test.as(driver.id)).cookie;
  await test.close();
});
afterAll(() => {
  for (const child of children) child.process.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  rmSync(path.dirname(program), { recursive: true, force: true });
});

function start(): Child {
  const child = serveIn(program, {
    MILKRUN_DATA: folder,
    MILKRUN_SECRET_KEY: 'a key for tests only, thirty-two characters',
  });
  children.push(child);
  return child;
}

/** Sends one batch after the other until the connection breaks; the ids that the server said it has. */
async function pushUntilGone(address: string, acknowledged: string[]): Promise<void> {
  const deviceId = randomUUID();
  for (let seq = 0; ; seq++) {
    const at = new Date().toISOString();
    const events = items.map((itemId, n) => ({
      ...{ eventId: randomUUID(), schemaVersion: 1, itemType: 'market_item', itemId, shown: null, deviceSeq: seq },
      ...(seq % 3 === 0 ? { kind: 'count', reason: 'manual_count' } : { kind: 'restock', reason: 'barcode_restock' }),
      ...{ quantity: (seq + n) % 7, occurredAtClient: at, lastServerTime: null },
    }));
    try {
      const body = JSON.stringify({ deviceId, sentAtClient: at, events });
      const headers = { 'content-type': 'application/json', cookie };
      const reply = await fetch(`${address}/api/sync/events`, { method: 'POST', headers, body });
      const { results } = (await reply.json()) as { results: { eventId: string; status: string }[] };
      for (const { eventId, status } of results) if (status === 'applied') acknowledged.push(eventId);
    } catch {
      // The server is gone: what it had not answered does not count.
      return;
    }
  }
}

/** Kills the server once it has acknowledged enough; more is then under way. */
async function killAfter(child: Child, acknowledged: string[], count: number): Promise<void> {
  const enough = acknowledged.length + count;
  while (acknowledged.length < enough) await new Promise((resolve) => setImmediate(resolve));
  child.process.kill('SIGKILL');
}

it('loses no acknowledged event when the process is killed, and balances equal the ledger', async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const child = start();
    const address = await child.address;
    expect(address, child.said()).not.toBeNull();
    const writers = Array.from({ length: 3 }, () => pushUntilGone(address ?? '', acknowledged));
    await Promise.all([...writers, killAfter(child, acknowledged, 60 + 13 * round)]);
    await child.ended;
  }
  const database = await openEmbedded(folder);
  const kept = await rows<Movement & { itemId: number }>(
    database.db,
    sql`select event_id as "eventId", item_id as "itemId", kind, quantity,
          (extract(epoch from effective_at) * 1000000)::bigint as "effectiveAt" from stock_movements`,
  );
  const balances = await rows<{ itemId: number; quantity: number }>(
    database.db,
    sql`select item_id as "itemId", quantity from item_balances where item_type = 'market_item' order by 1`,
  );
  await database.close();
  expect(acknowledged.filter((id) => !kept.some((row) => row.eventId === id))).toEqual([]);
  const folded = items.map((itemId) => {
    const { quantity } = fold(kept.filter((row) => row.itemId === itemId));
    return { itemId, quantity };
  });
  expect(balances).toEqual(folded);
});

it('refuses a second process on the folder with a sentence, and ends in good order on SIGTERM', async () => {
  const first = start();
  expect(await first.address).not.toBeNull();
  const second = start();
  expect(await second.ended).toBe(1);
  expect(second.said()).toContain(`Another Milkrun (process ${first.process.pid}) uses the data folder ${folder}.`);
  expect(readFileSync(path.join(folder, 'milkrun.lock'), 'utf8')).toContain(String(first.process.pid));
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);
});
