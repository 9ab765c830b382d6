import type { Outgoing, PushWish, World } from '../vendor.ts';
import {
  accountDeposits,
  alerts,
  collections,
  consumers,
  devices,
  dexTransmissions,
  kiosks,
  marketSales,
  type Quirk,
  quirks,
  sales,
} from './documents.ts';
import { attributesOf, elementText, escaped, type Sent, sealed } from './soap.ts';

/** The management side that documents are pushed to. */
export type Subscriber = { url: string; user: string; password: string; pushedUntil: Date; waiting: Outgoing[] };

/** Documents are due this often. */
const everyMs = 15 * 60_000;
const mostSales = 500;
/** Sales of a document of about 5 MB. */
const largeCount = 9_000;

export const pushKinds = [
  'mms-kiosks',
  'mms-sales',
  'mms-transactions',
  'mms-collections',
  'mms-consumers',
  'x-devices',
  'x-alerts',
  'x-dex',
];

const quirksOf = (parameters: Record<string, unknown>): ReadonlySet<Quirk> => {
  const told = Array.isArray(parameters.quirks) ? parameters.quirks : [];
  return new Set(quirks.filter((quirk) => told.includes(quirk)));
};

/** The document of a kind with what was sold from an instant to another. */
export function documentOf(
  kind: string,
  world: World,
  span: { from: Date; to: Date },
  parameters: Record<string, unknown> = {},
): Sent {
  const { fleet } = world;
  const wish = { fleet, now: world.now(), quirks: quirksOf(parameters) };
  const contents: Record<string, () => string> = {
    'mms-kiosks': () => kiosks(wish),
    'mms-sales': () =>
      sales(marketSales(fleet, span.from, span.to).slice(0, parameters.large === true ? largeCount : mostSales), wish),
    'mms-transactions': () => accountDeposits(wish),
    'mms-collections': () => collections(wish),
    'mms-consumers': () => consumers(wish),
    'x-devices': () => devices(wish),
    'x-alerts': () => alerts(wish),
    'x-dex': () => dexTransmissions(fleet.machines.slice(0, 3), wish),
  };
  const content = (contents[kind] ?? contents['mms-sales'])?.() ?? '';
  return sealed(kind, content, world.now(), kind.startsWith('x-') ? '2' : '1');
}

export function delivery(subscriber: Subscriber, sent: Sent): Outgoing {
  const basic = Buffer.from(`${subscriber.user}:${subscriber.password}`).toString('base64');
  return {
    url: subscriber.url,
    method: 'POST',
    headers: {
      'content-type': 'text/xml; charset=utf-8',
      soapaction: '"urn:VDIDataExchangeService/IVDIDataExchangeService/VDIDataExchange"',
      authorization: `Basic ${basic}`,
    },
    body: sent.body,
  };
}

/** Posts; what is not acknowledged waits and goes again, unchanged. */
async function post(subscriber: Subscriber, outgoing: Outgoing, world: World): Promise<void> {
  const { status, body } = await world.deliver(outgoing);
  const result = elementText(body, 'VDIDataExchangeResult') ?? '';
  const isTaken = status === 200 && (result.trim() === 'SUCCESS' || /<ResultCode>0</.test(body));
  // A refusal stays one, however often it is told; a failure may pass.
  if (!isTaken && (status === 0 || status >= 500 || status === 429)) subscriber.waiting.push(outgoing);
}

export async function pushDue(subscriber: Subscriber, world: World): Promise<void> {
  for (const again of subscriber.waiting.splice(0)) await post(subscriber, again, world);
  const until = new Date(Math.floor(world.now().getTime() / everyMs) * everyMs);
  if (until <= subscriber.pushedUntil) return;
  const span = { from: subscriber.pushedUntil, to: until };
  subscriber.pushedUntil = until;
  for (const kind of pushKinds) await post(subscriber, delivery(subscriber, documentOf(kind, world, span)), world);
}

const bomb = `<!DOCTYPE VDITransaction [<!ENTITY a "aaaaaaaaaaaaaaaa">${Array.from({ length: 20 }, (_, n) => `<!ENTITY b${n} "${`&${n === 0 ? 'a' : `b${n - 1}`};`.repeat(10)}">`).join('')}]>`;
const external = '<!DOCTYPE VDITransaction [<!ENTITY x SYSTEM "file:///etc/passwd">]>';

/** Puts a document type declaration into the inner document of a call. */
const armed = (sent: Sent, declaration: string): Sent => ({
  ...sent,
  body: sent.body.replace('&lt;VDITransaction', `${escaped(declaration)}&lt;VDITransaction`),
});

const altered = (sent: Sent): Sent => ({ ...sent, body: sent.body.replace('smartshop&quot;', 'smartstop&quot;') });

/** A push asked for by hand, in the way it is asked for. */
export async function pushWish(subscriber: Subscriber, wish: PushWish, world: World): Promise<void> {
  const hours = typeof wish.parameters.hours === 'number' ? wish.parameters.hours : 24;
  const to = world.now();
  const span = { from: new Date(to.getTime() - hours * 3_600_000), to };
  const sent = documentOf(wish.kind, world, span, wish.parameters);
  const plays: Record<string, () => Sent[]> = {
    duplicate: () => [sent, sent],
    tampered: () => [sent, altered(sent)],
    entity_bomb: () => [armed(sent, bomb)],
    external_entity: () => [armed(sent, external)],
    reordered: () => [
      documentOf(wish.kind, world, span, wish.parameters),
      documentOf(wish.kind, world, { from: new Date(span.from.getTime() - 3_600_000), to: span.from }, wish.parameters),
    ],
  };
  const asked = plays[wish.variant]?.() ?? [sent];
  const signed = wish.variant === 'bad_signature' ? { ...subscriber, password: 'wrong' } : subscriber;
  for (const one of asked) await post(subscriber, delivery(signed, one), world);
}

/** What was asked for by x-request: kinds, and where to go on from. */
export function requestOf(document: string): { wanted: string[]; since: Date | null; cursor: string | null } {
  const told = attributesOf(document, 'Request') ?? {};
  const since = told.Since ? new Date(told.Since) : null;
  return {
    wanted: (told.Wanted ?? '').split(/\s+/).filter((kind) => pushKinds.includes(kind)),
    since: since && !Number.isNaN(since.getTime()) ? since : null,
    cursor: told.Cursor ?? null,
  };
}
