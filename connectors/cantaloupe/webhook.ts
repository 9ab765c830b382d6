import type { VendorBatch } from '../../domain/integration.ts';
import {
  type Delivery,
  type RawRequest,
  VendorError,
  type Verdict,
  type WebhookContext,
  type WebhookReader,
} from '../connector.ts';
import { readDexDocument, serialIn } from './dex-post.ts';
import { zoneOf } from './local-time.ts';
import { readReport } from './map.ts';
import { type Content, openBody } from './unpack.ts';

/**
 * The receiving end of the Report Register's HTTP POST transport: no Content-Type, the file's name as the last part of the
 * path at most, Basic authentication with the configuration's sign-in and password. A header `X-Signature` (hex HMAC-SHA256
 * of the raw body keyed by the password) is checked where a partner sends it.
 */
export const webhook: WebhookReader = { verify, parse, takesFiles: true };

function verify(request: RawRequest, context: WebhookContext): Verdict {
  const all = [context.settings, ...(context.previousSettings ? [context.previousSettings] : [])];
  const signature = request.headers['x-signature'] ?? null;
  const authorization = request.headers.authorization ?? null;
  if (signature === null && authorization === null) return { genuine: false, reason: 'no sign-in was sent' };
  const { hash } = context;
  const bytes = new TextEncoder();
  const same = (a: string, b: string): boolean =>
    hash.equal(hash.sha256(bytes.encode(a)), hash.sha256(bytes.encode(b)));
  const basicOf = (settings: WebhookContext['settings']): string =>
    `Basic ${base64(`${settings.apiKey ?? ''}:${settings.apiSecret ?? ''}`)}`;
  const signedBy = (settings: WebhookContext['settings']): string =>
    hex(hash.hmacSha256(bytes.encode(String(settings.apiSecret ?? '')), request.body));
  const stated = signature?.toLowerCase().replace(/^sha256=/, '') ?? '';
  if (signature !== null && !all.some((settings) => settings.apiSecret && same(signedBy(settings), stated))) {
    return { genuine: false, reason: 'the signature does not belong to this body' };
  }
  if (
    authorization !== null &&
    !all.some((settings) => settings.apiKey && same(basicOf(settings), authorization.trim()))
  ) {
    return { genuine: false, reason: 'sign-in or password is wrong' };
  }
  return {
    genuine: true,
    // Deliveries have no number of their own: the same body within moments is the same delivery.
    eventId: isTest(request) ? null : hex(hash.sha256(request.body)),
    eventType: eventTypeOf(request),
    signature: signature ?? 'basic',
  };
}

const isTest = (request: RawRequest): boolean =>
  request.body.length === 0 || request.query.some(([name, value]) => name === 'reason' && value === 'TEST');

function eventTypeOf(request: RawRequest): string {
  if (isTest(request)) return 'test';
  try {
    return openBody(request.body, fileName(request))[0]?.kind ?? 'test';
  } catch {
    return 'archive';
  }
}

const fileName = (request: RawRequest): string | null =>
  decoded(request.path.split('/').filter(Boolean).at(-1) ?? '') || null;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parse(request: RawRequest, context: WebhookContext): Delivery {
  if (isTest(request)) return { batch: {}, pull: [] };
  const contents = openBody(request.body, fileName(request));
  const batches = contents.map((content) => readContent(content, context));
  return { batch: merged(batches), pull: [] };
}

function readContent(content: Content, context: WebhookContext): VendorBatch {
  if (content.kind === 'test') return {};
  if (content.kind === 'dex') {
    const serialNumber = serialIn(content.name);
    return { dexReads: [{ deviceId: serialNumber, serialNumber, bytes: content.bytes, readAt: null }] };
  }
  const text = new TextDecoder().decode(content.bytes);
  if (content.kind === 'xml') return { dexReads: readDexDocument(text, zoneOf(context)) };
  const report = readReport(text, { timeZone: zoneOf(context), receivedAt: context.now() });
  if (report) return report.batch;
  throw new VendorError(
    'cantaloupe',
    'bad-data',
    'The file has none of the known headers. Register Transactions in Payment, Transaction Line Item Export, Daily Item Export, Sales Rollup or DEX files.',
  );
}

function merged(batches: readonly VendorBatch[]): VendorBatch {
  return {
    devices: batches.flatMap((one) => one.devices ?? []),
    sales: batches.flatMap((one) => one.sales ?? []),
    dexReads: batches.flatMap((one) => one.dexReads ?? []),
    unreadable: batches.flatMap((one) => one.unreadable ?? []),
  };
}

/** UTF-8 first, so that any text can be sent. */
export function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
