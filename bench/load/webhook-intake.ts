import { sql } from 'drizzle-orm';
import { firstRow } from '../../server/db/database.ts';
import { createConfig, findConfig } from '../../server/integrations/service.ts';
import type { Running } from '../../server/start.ts';
import { quantile } from '../measure.ts';
import { offer } from './offer.ts';

const perSecond = 50;
const seconds = 20;
const goalMs = 250;
const merchantId = '2000100001';
const hashCode = 'a-token-of-the-bench';
const authorization = `Basic ${Buffer.from(`${merchantId}:${hashCode}`).toString('base64')}`;

/**
 * Messages of a partner at a steady pace, whether the server keeps up or not: each is timed from the instant at which it
 * was due until it is answered, which is when it is stored. Returns whether all of them are, in time.
 */
export async function webhookIntake({ deps, address }: Running, say: (line: string) => void): Promise<boolean> {
  const settings = { merchantId, hashCode, environment: 'production' };
  const { id } = await createConfig(deps, null, { system: 'nayax', name: 'Webhook bench', settings });
  const config = await findConfig(deps.db, id);
  const url = `${address}/api/webhooks/nayax/${config?.publicId}`;
  const run = Date.now();
  const count = perSecond * seconds;
  const told: { ok: boolean; ms: number }[] = [];
  let sent = 0;
  await offer({ perSecond, seconds }, async (late) => {
    const at = performance.now();
    const ok = await send(url, messageOf(run, sent++));
    told.push({ ok, ms: late + performance.now() - at });
  });
  const at = (share: number): number =>
    quantile(
      told.map(({ ms }) => ms),
      share,
    );
  const acknowledged = told.filter(({ ok }) => ok).length;
  const stored = await firstRow<{ n: number }>(
    deps.db,
    sql`select count(*)::int as n from webhook_deliveries where config_id = ${id}`,
  );
  say(
    `webhook intake: ${count} messages at ${perSecond}/s, ${acknowledged} acknowledged, ${stored?.n} stored; p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms (goal ${goalMs} ms), most ${at(1).toFixed(0)} ms`,
  );
  return acknowledged === count && stored?.n === count && at(0.99) <= goalMs;
}

async function send(url: string, body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json', authorization };
  const reply = await fetch(url, { method: 'POST', headers, body });
  await reply.arrayBuffer();
  return reply.ok;
}

/** A card sale as the partner's queue tells it. */
function messageOf(run: number, n: number): string {
  const now = new Date().toISOString();
  return JSON.stringify({
    TransactionId: `${run}${String(n).padStart(6, '0')}`,
    MachineId: 900_000 + (n % 50),
    Data: {
      SeValue: 1.5,
      Currency: 'USD',
      'Authorization Time': now,
      'Settlement Time': now,
      'Payment Method Description': 'Credit Card',
      Products: [{ 'Product Name': 'Cola', 'Product PA Code': 'A1', 'Product Bruto': 1.5 }],
    },
  });
}
