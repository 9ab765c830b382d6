import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isDay } from '../../domain/calendar-day.ts';
import type { VendorDexRead } from '../../domain/integration.ts';
import { VendorError } from '../connector.ts';
import { instantsOf, zoneClock } from './local-time.ts';

const serial = /\b(?:VK|VJ|EE|K3[A-Z]{2,3})\d{6,9}\b/;

/** The reader's serial number that a file name or path carries; null without. */
export const serialIn = (text: string | null): string | null => (text && serial.exec(text)?.[0]) || null;

type Node = Record<string, unknown>;

/**
 * DEX files within the S2S-DEX wrapper: `DexTransmission` with a device, `RawDEX` with the file escaped or in CDATA. XML
 * turns CRLF into LF: line ends are made CRLF again, which the file's checksum is over. Times without an offset are those of
 * the devices' zone. Documents with a DTD are refused.
 */
export function readDexDocument(text: string, timeZone: string): VendorDexRead[] {
  if (/<!DOCTYPE/i.test(text)) throw refused('declares a document type, which is not accepted');
  if (XMLValidator.validate(text) !== true) throw refused('is not well-formed');
  const parser = new XMLParser({
    ...{ ignoreAttributes: false, attributeNamePrefix: '', removeNSPrefix: true },
    ...texts,
  });
  const reads: VendorDexRead[] = [];
  walk(parser.parse(text), { device: null, at: null, offset: null, clock: zoneClock(timeZone) }, reads);
  if (reads.length === 0) throw refused('holds no RawDEX');
  return reads;
}

/** Texts stay as they are: codes begin with zeros, files with blanks. */
const texts = { parseTagValue: false, parseAttributeValue: false, trimValues: false, processEntities: true };
/** What the elements around a file say of it. */
type Seen = { device: string | null; at: Date | null; offset: string | null; clock: (at: number) => number };

function walk(node: unknown, seen: Seen, reads: VendorDexRead[]): void {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, seen, reads);
    return;
  }
  if (!isNode(node)) return;
  const offset = textOf(node, 'GMTOffSet') ?? seen.offset;
  const device = textOf(node, 'DeviceID') ?? seen.device;
  const here: Seen = {
    ...seen,
    device,
    offset,
    at: instantOf(textOf(node, 'ReadDateTime'), offset, seen.clock) ?? seen.at,
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

const moment =
  /^(?<day>\d{4}-\d{2}-\d{2})[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d{1,9})?)?\s*(?<zone>Z|[+-]\d{2}:?\d{2})?$/i;

/** Times stand with an offset, beside one, or without any. */
function instantOf(text: string | null, offset: string | null, clock: Seen['clock']): Date | null {
  const told = moment.exec(text ?? '')?.groups;
  if (!told?.day || !isDay(told.day)) return null;
  const { day, hour, minute, second = '00' } = told;
  const utc = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(utc)) return null;
  const east = minutesOf(told.zone ?? offset);
  if (east !== null) return new Date(utc - east * 60_000);
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  return new Date(instantsOf(clock, { day, seconds, text: text ?? '' })[0] ?? utc);
}

/** `-05:00`, `-0500`, `-5` and `Z` in minutes; null for what is no offset. */
function minutesOf(offset: string | null): number | null {
  if (offset !== null && /^z$/i.test(offset)) return 0;
  const told = /^(?<sign>[+-])?(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?$/.exec(offset ?? '')?.groups;
  if (!told || Number(told.hours) > 14) return null;
  const minutes = Number(told.hours) * 60 + Number(told.minutes ?? '0');
  return told.sign === '-' ? -minutes : minutes;
}

function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at) & 0xff;
  return bytes;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

const refused = (why: string): VendorError =>
  new VendorError('cantaloupe', 'bad-data', `The document ${why}. Nothing of it was taken over.`);
