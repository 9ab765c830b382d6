import { createHmac } from 'node:crypto';
import type { Outgoing, PushWish, World } from '../vendor.ts';
import { type DexVariant, dexFile } from './dex-file.ts';
import { packed, type ReportName, reportNames, reportText } from './reports.ts';
import { deviceOf, placesOf, tradesOf } from './rows.ts';

/** Where reports are posted to, as an operator enters it in the Report Register. */
export type Transport = {
  url: string;
  user: string;
  password: string;
  pack: 'plain' | 'gzip' | 'zip';
  /** A partner's extra header, hex HMAC-SHA256 of the body. */
  signed: boolean;
  reports: ReportName[];
  dex: boolean;
  /** Up to where was posted. */
  postedUntil: Date;
  /** Deliveries the receiver did not take: sent again at the next tick, unchanged. */
  waiting: Outgoing[];
};

const agent = 'Apache-HttpClient/4.5.13 (Java/1.8.0_292)';
/** Posts are due this often. */
const everyMs = 15 * 60_000;
const testBody = 'This is a test file from USA Tech.';

export function outgoing(transport: Transport, body: Buffer, name: string, query = ''): Outgoing {
  const basic = Buffer.from(`${transport.user}:${transport.password}`).toString('base64');
  const signature = createHmac('sha256', transport.password).update(body).digest('hex');
  return {
    url: `${transport.url.replace(/\/$/, '')}/${name}${query}`,
    method: 'POST',
    headers: {
      'user-agent': agent,
      ...(transport.user || transport.password ? { authorization: `Basic ${basic}` } : {}),
      ...(transport.signed ? { 'x-signature': signature } : {}),
    },
    body,
  };
}

export async function sendTest(transport: Transport, world: World): Promise<{ status: number }> {
  return world.deliver(
    outgoing(transport, Buffer.from(testBody.slice(0, 33)), 'testTransportFileName', '?reason=TEST'),
  );
}

/** Posts what has become due since the last time. */
export async function postDue(transport: Transport, world: World): Promise<void> {
  const again = transport.waiting.splice(0);
  for (const delivery of again) await send(transport, delivery, world);
  const until = new Date(Math.floor(world.now().getTime() / everyMs) * everyMs);
  if (until <= transport.postedUntil) return;
  const trades = tradesOf(world.fleet, transport.postedUntil, until);
  transport.postedUntil = until;
  if (trades.length === 0) return;
  for (const report of transport.reports) await send(transport, reportPost(transport, report, trades, world), world);
  if (transport.dex) await postDex(transport, world, 'normal');
}

type Trades = ReturnType<typeof tradesOf>;

function reportPost(transport: Transport, report: ReportName, trades: Trades, world: World): Outgoing {
  const stamp = world
    .now()
    .toISOString()
    .replaceAll(/[-:]|\..*/g, '');
  const name = `${report}-${stamp}.csv`;
  const text = reportText(report, trades, world.fleet.timeZone);
  return outgoing(transport, packed(Buffer.from(text, 'utf8'), transport.pack, name), name);
}

/** Up to three machines a time, the next ones at the next post. */
async function postDex(transport: Transport, world: World, variant: DexVariant): Promise<void> {
  const places = placesOf(world.fleet);
  const turn = Math.floor(world.now().getTime() / everyMs);
  const first = (turn * 3) % Math.max(1, places.length);
  for (const place of places.slice(first, first + 3)) {
    const body = dexFile(world.fleet, place, world.now(), variant);
    await send(transport, outgoing(transport, body, `DEX-${deviceOf(place)}-${turn}.dex`), world);
  }
}

async function send(transport: Transport, delivery: Outgoing, world: World): Promise<void> {
  const { status } = await world.deliver(delivery);
  if (status >= 500) transport.waiting.push(delivery);
}

const dayMs = 86_400_000;

/** A delivery asked for by hand, in the way it is asked for. */
export async function postWish(transport: Transport, wish: PushWish, world: World): Promise<void> {
  if (wish.kind === 'test') {
    await sendTest(transport, world);
    return;
  }
  if (wish.kind === 'dex') {
    const variants: Record<string, DexVariant> = { bad_crc: 'bad_crc', truncated: 'truncated', reset: 'reset' };
    await postDex(transport, world, variants[wish.variant] ?? 'normal');
    return;
  }
  const report = reportNames.find((name) => name === wish.kind) ?? 'transactions';
  const to = world.now();
  const hours = typeof wish.parameters.hours === 'number' ? wish.parameters.hours : 24;
  const trades = tradesOf(world.fleet, new Date(to.getTime() - Math.min(hours * 3_600_000, 40 * dayMs)), to);
  await postVariant(
    transport,
    wish.variant,
    reportPost(transport, report, ordered(trades, wish.variant), world),
    world,
  );
}

/** Out of order: the newest first, so that a refund comes before its sale. */
const ordered = (trades: Trades, variant: string): Trades => (variant === 'reordered' ? [...trades].reverse() : trades);

async function postVariant(transport: Transport, variant: string, delivery: Outgoing, world: World): Promise<void> {
  if (variant === 'bad_signature') {
    const wrong = outgoing(
      { ...transport, password: `${transport.password}-wrong` },
      Buffer.from(delivery.body),
      'report.csv',
    );
    await world.deliver(wrong);
    return;
  }
  if (variant === 'tampered') {
    // Changed on its way: whoever signs sees that the signature belongs to another body.
    const body = Buffer.from(String(delivery.body).replace(/\$(\d)/, '$9$1'));
    await world.deliver({ ...delivery, headers: { ...delivery.headers, 'x-signature': '0'.repeat(64) }, body });
    return;
  }
  if (variant === 'truncated') {
    const body = Buffer.from(delivery.body);
    await world.deliver({ ...delivery, body: body.subarray(0, body.length - 60) });
    return;
  }
  await send(transport, delivery, world);
  // Seen in the wild: the same file twice, a fifth of a second apart.
  if (variant === 'duplicate') await send(transport, delivery, world);
}
