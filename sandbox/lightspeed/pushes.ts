import { createHmac } from 'node:crypto';
import type { PushWish, SandboxReply, SandboxRequest, World } from '../vendor.ts';
import { clientSecret, json, store } from './connect.ts';
import { inventory, products, type Versioned } from './records.ts';
import { sales } from './sales.ts';

type Hook = { url: string; type: string };
/** A delivery that was not acknowledged comes again, up to 20 times over about 48 hours. */
type Waiting = { hook: Hook; body: string; headers: Record<string, string>; dueMs: number; tries: number };
type Book = { hooks: Hook[]; waiting: Waiting[]; toldMs: number | null };

const mostTries = 20;
const firstGapMs = 10_000;
const mostAtOnce = 5;

function bookOf(world: World): Book {
  const known = world.state.get('hooks');
  if (known) return known as Book;
  const fresh: Book = { hooks: [], waiting: [], toldMs: null };
  world.state.set('hooks', fresh);
  return fresh;
}

/** POST /api/webhook: form field `data` with url, type and active. */
export function registerHook({ body }: SandboxRequest, world: World): SandboxReply {
  const data = parse(new URLSearchParams(body.toString()).get('data') ?? '');
  const { url, type } = data;
  if (typeof url !== 'string' || typeof type !== 'string') return json(422, { error: 'url and type are required' });
  const book = bookOf(world);
  book.hooks = [...book.hooks.filter((hook) => hook.url !== url || hook.type !== type), { url, type }];
  return json(200, { id: `${type}-${book.hooks.length}`, retailer_id: store, url, type, active: true });
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** What changed since the last round, and what a person asked for by its kind: an event type, or `revoke`, `touch`. */
export async function push(world: World, wish: PushWish | null): Promise<void> {
  const book = bookOf(world);
  const nowMs = world.now().getTime();
  if (wish) return pushWish(world, book, wish);
  const fromMs = book.toldMs ?? nowMs;
  book.toldMs = nowMs;
  const sold = book.hooks.length > 0 ? sales(world, fromMs) : [];
  for (const sale of sold.slice(-mostAtOnce)) await tell(world, 'sale.update', sale, 'normal');
  for (const waiting of book.waiting.filter(({ dueMs }) => dueMs <= nowMs)) await attempt(world, book, waiting);
}

async function pushWish(world: World, book: Book, { kind, variant }: PushWish): Promise<void> {
  const newest = newestOf(world, kind);
  if (!newest) return;
  if (variant === 'reordered' || variant === 'duplicate') {
    await tell(world, kind, newest, 'normal');
    return tell(world, kind, newest, 'normal');
  }
  if (variant === 'late') {
    for (const hook of book.hooks.filter(({ type }) => type === kind)) {
      const sent = sign(bodyOf(newest), 'normal');
      book.waiting.push({ hook, ...sent, dueMs: world.now().getTime() + 60_000, tries: 0 });
    }
    return;
  }
  return tell(world, kind, newest, variant);
}

function newestOf(world: World, kind: string): Versioned | undefined {
  const nowMs = world.now().getTime();
  if (kind === 'sale.update') return sales(world, nowMs - 86_400_000).at(-1);
  return (kind === 'product.update' ? products(world) : inventory(world)).at(0);
}

async function tell(world: World, type: string, versioned: Versioned, variant: string): Promise<void> {
  const book = bookOf(world);
  for (const hook of book.hooks.filter((one) => one.type === type)) {
    const sent = sign(bodyOf(versioned), variant);
    await attempt(world, book, { hook, ...sent, dueMs: 0, tries: 0 });
  }
}

/** The object in its older shape, and the store beside it. */
function bodyOf({ record }: Versioned): string {
  const { line_items: lines, payments, ...rest } = record;
  const payload = lines ? { ...rest, register_sale_products: lines, register_sale_payments: payments } : rest;
  const fields = { payload: JSON.stringify(payload), domain_prefix: store, environment: 'prod', retailer_id: store };
  return new URLSearchParams(fields).toString();
}

/** Over the raw body, with the secret of the application; one made by hand in the back office is not signed. */
function sign(body: string, variant: string): { body: string; headers: Record<string, string> } {
  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  if (variant === 'unsigned') return { body, headers: form };
  const secret = variant === 'bad_signature' ? 'another secret' : clientSecret;
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = { ...form, 'x-signature': `signature=${signature}, algorithm=HMAC-SHA256` };
  return { body: variant === 'tampered' ? `${body}&tampered=1` : body, headers };
}

async function attempt(world: World, book: Book, waiting: Waiting): Promise<void> {
  book.waiting = book.waiting.filter((one) => one !== waiting);
  const { hook, body, headers, tries } = waiting;
  const { status } = await world.deliver({ url: hook.url, headers, body });
  if (status >= 200 && status < 300) return;
  if (tries + 1 >= mostTries) return;
  const dueMs = world.now().getTime() + firstGapMs * 1.5 ** tries;
  book.waiting.push({ hook, body, headers, dueMs, tries: tries + 1 });
}
