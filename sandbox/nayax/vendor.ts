import { createHash } from 'node:crypto';
import type { Place } from '../fleet.ts';
import { salesOf } from '../fleet.ts';
import type { Outgoing, PushWish, SandboxReply, SandboxRequest, Vendor, World } from '../vendor.ts';
import { refusal } from './access.ts';
import { answerLynx, type Serves } from './lynx.ts';
import {
  dexMessage,
  ecommerceNotification,
  eventMessages,
  hostedNotification,
  type Subscriber,
  transactionMessage,
  transactionMessages,
} from './notify.ts';
import { operatorActorId } from './records.ts';

const merchantId = String(operatorActorId);
/** 64 hex digits, so that e-commerce notifications can be signed with it too. */
const hashCode = createHash('sha256').update('the hash code of the sandbox').digest('hex');
/** What the stand-in knows its customer by; the hash code is the user token. */
export const credentials = { merchantId, hashCode };
const account = { token: hashCode, refreshToken: null };
const settleMs = 31 * 60_000;

export const lynxCalls = [
  'GET /operational/v1/machines',
  'GET /operational/v1/machines/*/status',
  'GET /operational/v1/machines/*/lastSales',
  'GET /operational/v1/machines/*/lastAlerts',
  'GET /operational/v1/devices',
];

/** Nayax Core: Lynx for pulls, and notifications to whoever subscribed at `POST /nayax/subscribers`. */
export function nayaxStandIn(serves: Serves): Vendor {
  return {
    prefix: 'nayax',
    credentials,
    calls: lynxCalls,
    pushes: ['payment', 'ecommerce', 'transaction', 'event', 'dex'],
    refuse: refusal,
    answer: (request, world) =>
      request.path === '/subscribers' ? subscribe(request, world) : answerLynx(request, world, { serves, account }),
    push: (world, wish) => push(world, wish, serves),
  };
}

/** Stands for telling Nayax the address of notifications, which is done on paper. */
function subscribe(request: SandboxRequest, world: World): SandboxReply {
  const told: unknown = JSON.parse(request.body.toString() || '{}');
  const subscriber = subscriberIn(told);
  if (!subscriber) return refusal(400, 'url is missing.');
  world.state.set('subscriber', subscriber);
  world.state.set('pushedUntil', world.now());
  return { status: 204 };
}

function subscriberIn(told: unknown): Subscriber | null {
  if (typeof told !== 'object' || told === null || !('url' in told) || typeof told.url !== 'string') return null;
  return {
    url: told.url,
    merchantId: 'merchantId' in told && typeof told.merchantId === 'string' ? told.merchantId : merchantId,
    hashCode: 'hashCode' in told && typeof told.hashCode === 'string' ? told.hashCode : hashCode,
  };
}

async function push(world: World, wish: PushWish | null, serves: (place: Place) => boolean): Promise<void> {
  const subscriber = subscriberIn(wish?.parameters) ?? subscriberIn(world.state.get('subscriber'));
  if (!subscriber) return;
  const places = world.fleet.machines.filter(serves);
  if (places.length === 0) return;
  const messages = wish ? wished({ subscriber, world, wish }, places) : due(world, subscriber, places);
  for (const message of messages) await world.deliver(message);
}

function wished(
  sending: { subscriber: Subscriber; world: World; wish: PushWish },
  places: readonly Place[],
): Outgoing[] {
  const { kind, variant } = sending.wish;
  if (kind === 'transaction') return transactionMessages(sending, places);
  if (kind === 'event') return eventMessages(sending, places);
  if (kind === 'dex') return [dexMessage(sending, places)];
  const one = kind === 'ecommerce' ? ecommerceNotification(sending) : hostedNotification(sending);
  return variant === 'duplicate' ? [one, one] : [one];
}

/** What was sold since the last round, when it has settled. */
function due(world: World, subscriber: Subscriber, places: readonly Place[]): Outgoing[] {
  const now = world.now();
  const last = world.state.get('pushedUntil');
  const from = last instanceof Date && last < now ? last : now;
  world.state.set('pushedUntil', now);
  const settledFrom = new Date(from.getTime() - settleMs);
  const settledTo = new Date(now.getTime() - settleMs);
  return places
    .flatMap((place) => salesOf(world.fleet, place, settledFrom, settledTo))
    .map((sale) => transactionMessage(subscriber, sale, now));
}
