import type { Settings } from '../../domain/integration.ts';
import type { Delivery, RawRequest, Verdict, WebhookContext, WebhookReader } from '../connector.ts';
import { VendorError } from '../connector.ts';
import { basic, peerOf, subscribe } from './client.ts';
import { readDocument, type VdiDocument } from './document.ts';
import { EnvelopeError, readCall } from './envelope.ts';
import { admission, mapDocument } from './map.ts';
import { decodeXml, XmlError } from './xml.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Whether the sender signed in with the configuration's own name and password; without a password nobody can. */
export function isSignedIn(authorization: string | undefined, settings: Settings, context: WebhookContext): boolean {
  const { vmsSystemId: user, apiKey: password } = settings;
  if (typeof user !== 'string' || typeof password !== 'string' || password === '') return false;
  return context.hash.equal(bytesOf(authorization ?? ''), bytesOf(basic(user.trim(), password.trim())));
}

const isEnvelope = (text: string): boolean => /<(?:[\w-]+:)?Envelope[\s>]/.test(text.slice(0, 2_000));

/** What a request carries: a call with its document, a bare document, or the bare text of a DEX file. */
export type Carried = { document: VdiDocument } | { dex: Uint8Array };

/** Whether the bytes are the text of a DEX file, which is no XML and in no particular encoding. */
function isDex(body: Uint8Array): boolean {
  const head = Array.from(body.subarray(0, 400), (byte) => String.fromCharCode(byte)).join('');
  return /(?:^|[^A-Za-z0-9])DXS\*/.test(head) && !/<(?:\?xml|[\w:]*VDITransaction|[\w:]*Envelope)/.test(head);
}

/** Throws XmlError or EnvelopeError. */
export function openRequest(body: Uint8Array): Carried {
  if (isDex(body)) return { dex: body };
  const text = decodeXml(body);
  if (!isEnvelope(text)) return { document: readDocument(text) };
  const call = readCall(body);
  if (!call.VDIXML?.trim()) throw new EnvelopeError('Client', 'VDIXML is missing or empty.');
  const document = readDocument(call.VDIXML);
  const differs = (outer: string | undefined, inner: string): boolean =>
    outer !== undefined && outer.trim() !== '' && inner !== '' && outer.trim() !== inner.trim();
  if (differs(call.TransactionID, document.header.transactionId)) {
    throw new EnvelopeError('Client', 'TransactionID of the call and of the document differ.');
  }
  if (differs(call.VDIXMLType, document.header.type)) {
    throw new EnvelopeError('Client', 'VDIXMLType of the call and of the document differ.');
  }
  const { header } = document;
  const transactionId = header.transactionId || (call.TransactionID ?? '').trim();
  return {
    document: { ...document, header: { ...header, transactionId, type: header.type || (call.VDIXMLType ?? '') } },
  };
}

/** Whether documents of this sender are accepted: where a peer is named, only that one. */
export function isPeer({ header }: VdiDocument, settings: Settings): boolean {
  const { providerId } = peerOf(settings);
  return providerId === '' || header.providerId === providerId;
}

function verify(request: RawRequest, context: WebhookContext): Verdict {
  const { authorization } = request.headers;
  const sets = [context.settings, context.previousSettings].filter((settings) => settings !== null);
  if (!sets.some((settings) => isSignedIn(authorization, settings, context))) {
    return { genuine: false, reason: 'The sign-in is not the one of this configuration.' };
  }
  try {
    const carried = openRequest(request.body);
    if ('dex' in carried) return { genuine: true, eventId: null, eventType: 'x-dex', signature: null };
    if (!isPeer(carried.document, context.settings)) {
      return { genuine: false, reason: 'The sender is not the MMS System ID of this configuration.' };
    }
    const { transactionId, type } = carried.document.header;
    return { genuine: true, eventId: transactionId || null, eventType: type || 'unknown', signature: null };
  } catch {
    // Genuine, and kept for a person: reading it says what is wrong.
    return { genuine: true, eventId: null, eventType: 'unreadable', signature: null };
  }
}

function parse(request: RawRequest, context: WebhookContext): Delivery {
  try {
    const carried = openRequest(request.body);
    if ('dex' in carried) {
      if (context.settings.enableDexData === false) return { batch: {}, pull: [] };
      const read = { deviceId: null, serialNumber: null, bytes: carried.dex, readAt: null };
      return { batch: { dexReads: [read] }, pull: [] };
    }
    const isTaken = admission(carried.document.header.type, context.settings) === 'take';
    return { batch: isTaken ? mapDocument(carried.document, context) : {}, pull: [] };
  } catch (error) {
    if (!(error instanceof XmlError) && !(error instanceof EnvelopeError)) throw error;
    throw new VendorError('nama_vdi', 'bad-data', error.message, error);
  }
}

export const webhook: WebhookReader = { verify, parse, register: subscribe };
