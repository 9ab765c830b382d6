import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isDay } from '../../domain/calendar-day.ts';
import type { VendorDexRead } from '../../domain/integration.ts';
import { VendorError } from '../connector.ts';

const serial = /\b(?:VK|VJ|EE|K3[A-Z]{2,3})\d{6,9}\b/;

/** The reader's serial number that a file name or path carries; null without. */
export const serialIn = (text: string | null): string | null => (text && serial.exec(text)?.[0]) || null;

type Node = Record<string, unknown>;

/**
 * DEX files within the S2S-DEX wrapper: `DexTransmission` with a device, `RawDEX` with the file escaped or in CDATA. XML
 * turns CRLF into LF: line ends are made CRLF again, which the file's checksum is over. Documents with a DTD are refused.
 */
export function readDexDocument(text: string): VendorDexRead[] {
  if (/<!DOCTYPE/i.test(text)) throw refused('declares a document type, which is not accepted');
  if (XMLValidator.validate(text) !== true) throw refused('is not well-formed');
  const parser = new XMLParser({
    ...{ ignoreAttributes: false, attributeNamePrefix: '', removeNSPrefix: true },
    ...texts,
  });
  const reads: VendorDexRead[] = [];
  walk(parser.parse(text), { device: null, at: null }, reads);
  if (reads.length === 0) throw refused('holds no RawDEX');
  return reads;
}

/** Texts stay as they are: codes begin with zeros, files with blanks. */
const texts = { parseTagValue: false, parseAttributeValue: false, trimValues: false, processEntities: true };
type Seen = { device: string | null; at: Date | null };

function walk(node: unknown, seen: Seen, reads: VendorDexRead[]): void {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, seen, reads);
    return;
  }
  if (!isNode(node)) return;
  const here: Seen = {
    device: textOf(node, 'DeviceID') ?? seen.device,
    at: instantOf(textOf(node, 'ReadDateTime'), textOf(node, 'GMTOffSet')) ?? seen.at,
  };
  for (const [name, child] of Object.entries(node)) {
    if (name === 'RawDEX') {
      for (const one of Array.isArray(child) ? child : [child]) push(one, here, reads);
    } else walk(child, here, reads);
  }
}

function push(child: unknown, { device, at }: Seen, reads: VendorDexRead[]): void {
  const told = isNode(child) ? child['#text'] : child;
  if (typeof told !== 'string' || told.trim() === '') return;
  const file = `${told.trim().replaceAll(/\r\n|\r|\n/g, '\r\n')}\r\n`;
  reads.push({ deviceId: device, serialNumber: serialIn(device) ?? device, bytes: latin1Bytes(file), readAt: at });
}

function textOf(node: Node, name: string): string | null {
  const value = node[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Times stand with or without an offset; hours from UTC stand beside them. */
function instantOf(text: string | null, offset: string | null): Date | null {
  if (text === null || !isDay(text.slice(0, 10))) return null;
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
  const hours = Number(offset ?? '0');
  const at =
    Date.parse(zoned ? text : `${text.replace(' ', 'T')}Z`) - (zoned || Number.isNaN(hours) ? 0 : hours * 3_600_000);
  return Number.isNaN(at) ? null : new Date(at);
}

function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at) & 0xff;
  return bytes;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

const refused = (why: string): VendorError =>
  new VendorError('cantaloupe', 'bad-data', `The document ${why}. Nothing of it was taken over.`);
