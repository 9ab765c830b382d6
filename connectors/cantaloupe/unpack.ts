import { Gunzip, unzipSync } from 'fflate';
import { VendorError } from '../connector.ts';

/** What a body holds once it is opened. */
export type Content = { name: string | null; kind: 'csv' | 'dex' | 'xml' | 'test'; bytes: Uint8Array };

/** A report of a day has some MB; more than this is a bomb. */
const maxOpened = 32 * 1024 * 1024;
const maxEntries = 200;

/**
 * The contents of a body, recognised by their bytes: the transport sends neither a Content-Type nor a file name that could
 * be relied on. Throws VendorError 'bad-data' for an archive that does not open or grows too large.
 */
export function openBody(body: Uint8Array, name: string | null): Content[] {
  if (body[0] === 0x1f && body[1] === 0x8b) return openBody(gunzip(body), name?.replace(/\.gz$/i, '') ?? null);
  if (startsWith(body, 'PK\u0003\u0004')) {
    return Object.entries(unzip(body)).flatMap(([entry, bytes]) =>
      bytes.length === 0 ? [] : [{ name: entry, kind: kindOf(bytes), bytes }],
    );
  }
  return [{ name, kind: kindOf(body), bytes: body }];
}

function kindOf(bytes: Uint8Array): Content['kind'] {
  const head = latin1(bytes.subarray(0, 4096)).replace(/^\u00ef\u00bb\u00bf/, '');
  if (/^\s*<(?:[?!]|[A-Za-z][\w:.-]*[\s/>])/.test(head)) return 'xml';
  // Carriers put a line of their own before the first segment.
  if (/(?:^|[^A-Za-z0-9])DXS\*/.test(head) || /^\s*(?:ST|ID1)\*/.test(head)) return 'dex';
  return /[,\n]/.test(head.trim()) || head.length > 200 ? 'csv' : 'test';
}

function gunzip(body: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  let ended = false;
  const stream = new Gunzip((part, isLast) => {
    size += part.length;
    if (size > maxOpened) throw tooLarge();
    parts.push(part);
    ended ||= isLast;
  });
  try {
    for (let at = 0; at < body.length; at += 65_536) {
      const to = at + 65_536;
      stream.push(body.subarray(at, to), to >= body.length);
    }
  } catch (error) {
    if (error instanceof VendorError) throw error;
    throw notOpened(error);
  }
  if (!ended) throw notOpened(null);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function unzip(body: Uint8Array): Record<string, Uint8Array> {
  let size = 0;
  let entries = 0;
  try {
    return unzipSync(body, {
      filter: (entry) => {
        size += entry.originalSize;
        entries += 1;
        if (size > maxOpened || entries > maxEntries) throw tooLarge();
        return !entry.name.endsWith('/');
      },
    });
  } catch (error) {
    if (error instanceof VendorError) throw error;
    throw notOpened(error);
  }
}

const tooLarge = (): VendorError =>
  new VendorError(
    'cantaloupe',
    'bad-data',
    'The report is larger than 32 MB once unpacked. Register it for shorter spans.',
  );

const notOpened = (cause: unknown): VendorError =>
  new VendorError(
    'cantaloupe',
    'bad-data',
    'The report is a broken archive. Send it again, or without the zip option.',
    cause,
  );

const startsWith = (bytes: Uint8Array, text: string): boolean => latin1(bytes.subarray(0, text.length)) === text;

/** Each byte as a character: machine texts are no UTF-8. */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
