import { type Checksum, verify } from './checksum.ts';
import { DexError } from './dex-error.ts';

/** Largest file read, bytes. Real files have 1 to 40 kB. */
export const maxDexBytes = 1_000_000;
const maxLines = 20_000;
const maxElements = 64;

/** One line: identifier and the elements after it, untrimmed; element n of the standard is `elements[n - 1]`. */
export type Segment = { id: string; elements: string[] };

export type Envelope = {
  segments: Segment[];
  crc: Checksum;
  /** Lines from ST to SE inclusive, as stated and as counted; null without them. */
  segmentCount: { stated: number | null; counted: number } | null;
  hasEnd: boolean;
  /** Text before DXS on its line, of the carrier. */
  wrapped: boolean;
  cut: boolean;
  escaped: boolean;
};

/** Bytes as Latin-1 text: one character a byte, so nothing is lost. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at) & 0xff;
  return bytes;
}

const looksLikeDex = /(?:^|[\r\n])(?:ST|ID|VA|PA|CA|DA|EA|CB)\d{0,3}\*/;

/** Where the file proper starts: at the first DXS, which a carrier's own header may stand before on the same line. */
function startOf(text: string): number {
  for (let at = text.indexOf('DXS*'); at >= 0; at = text.indexOf('DXS*', at + 1)) {
    if (at === 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return at;
  }
  return looksLikeDex.test(text) ? 0 : -1;
}

/** A file taken out of JSON without decoding it: backslash letters instead of line ends. */
function unescaped(text: string): string {
  return text.replaceAll('\\r\\n', '\r\n').replaceAll('\\n', '\r\n').replaceAll('\\r', '\r\n');
}

/**
 * Splits a file into segments: the carrier's wrapper left out, line ends made CRLF (XML and mail turn them into LF, and
 * the checksum is over CRLF). Throws DexError for what is no DEX file.
 */
export function openEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new DexError('empty', 'The file is empty.');
  if (bytes.length > maxDexBytes)
    throw new DexError('too-large', `The file is too large: a DEX file has at most ${maxDexBytes / 1_000_000} MB.`);
  const told = latin1(bytes);
  const escaped = !/[\r\n]/.test(told.trim()) && told.includes('\\r\\n');
  const raw = escaped ? unescaped(told) : told;
  const start = startOf(raw);
  if (start < 0)
    throw new DexError('not-dex', 'This is no DEX file: it has no line that begins with DXS, ST, ID1, VA1 or PA1.');
  const lines = raw.slice(start).split(/\r\n|\n|\r/, maxLines + 1);
  const end = lines.findIndex((line) => /^DXE(?:\*|$)/.test(line));
  const inside = lines.slice(0, Math.min(end < 0 ? lines.length : end + 1, maxLines)).filter((line) => line !== '');
  return {
    segments: inside.map(toSegment),
    crc: checksumOf(inside),
    segmentCount: countOf(inside),
    hasEnd: end >= 0,
    wrapped: start > 0 && !/[\r\n]/.test(raw.charAt(start - 1)),
    cut: lines.length > maxLines,
    escaped,
  };
}

function toSegment(line: string): Segment {
  const [id = '', ...elements] = line.split('*', maxElements + 1);
  return { id: id.trim().toUpperCase(), elements };
}

const startsWith = (id: string) => (line: string) => line === id || line.startsWith(`${id}*`);

function checksumOf(lines: readonly string[]): Checksum {
  const at = lines.findIndex(startsWith('G85'));
  const stated = lines[at]?.split('*')[1];
  if (stated === undefined) return { verdict: 'absent', form: null, stated: null, computed: null };
  // A file without ST is covered from the first line after DXS.
  const from = Math.max(lines.findIndex(startsWith('ST')), lines[0]?.startsWith('DXS') ? 1 : 0);
  const covered = lines.slice(from, at);
  return verify(toBytes(covered.length ? `${covered.join('\r\n')}\r\n` : ''), stated);
}

function countOf(lines: readonly string[]): Envelope['segmentCount'] {
  const from = lines.findIndex(startsWith('ST'));
  const to = lines.findIndex(startsWith('SE'));
  if (from < 0 || to < from) return null;
  const stated = lines[to]?.split('*')[1]?.trim() ?? '';
  return { stated: /^\d{1,9}$/.test(stated) ? Number(stated) : null, counted: to - from + 1 };
}
