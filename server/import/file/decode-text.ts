import { TextDecoder } from 'node:util';
import { type OpenedFile, unreadable } from './open-bytes.ts';

type Decoded = {
  parts: AsyncGenerator<string>;
  /** True once everything was read and the last line had no line break. */
  endsOpen: () => boolean;
  /** True once a line was read that is not UTF-8 but the older Windows text. */
  isOldWindows: () => boolean;
};

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

// Bytes that no text of any kind holds; tab, line feed and carriage return are not among them.
const control = /[^\P{Cc}\t\n\r\u0080-\u009f]/u;
const beyondAscii = /[^\p{ASCII}]/u;

/** Text of a file, part by part. What is not UTF-8 is read as Windows-1252, of which Latin-1 is a part; never both. */
export function decoded({ chunks, name }: OpenedFile, encoding: Encoding): Decoded {
  const reader = encoding === 'utf-8' ? eightBit(name) : sixteenBit(encoding, name);
  let lastCharacter = '';
  const parts = async function* (): AsyncGenerator<string> {
    for await (const chunk of chunks) yield passed(reader.read(chunk));
    yield passed(reader.end());
  };
  const passed = (part: string): string => {
    if (part.includes('\0')) throw unreadable(`${name} is damaged: it holds binary data.`);
    lastCharacter = part.at(-1) ?? lastCharacter;
    return part;
  };
  return {
    parts: parts(),
    endsOpen: () => lastCharacter !== '\n' && lastCharacter !== '\r',
    isOldWindows: reader.isOldWindows,
  };
}

type Reader = { read: (chunk: Buffer) => string; end: () => string; isOldWindows: () => boolean };

function sixteenBit(encoding: string, name: string): Reader {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const told = (decode: () => string): string => {
    try {
      return decode();
    } catch (error) {
      if (error instanceof TypeError) throw unreadable(`${name} is damaged: save it as 'CSV UTF-8'.`);
      throw error;
    }
  };
  return {
    read: (chunk) => told(() => decoder.decode(chunk, { stream: true })),
    end: () => told(() => decoder.decode()),
    isOldWindows: () => false,
  };
}

/** Decodes whole stretches that end in an ASCII byte, so that no character is ever cut in two. */
function eightBit(name: string): Reader {
  let held: Buffer = Buffer.alloc(0);
  let isFirst = true;
  let seen: 'utf-8' | 'windows-1252' | null = null;
  const decode = (bytes: Buffer): string => {
    const text = decodedAs('utf-8', bytes);
    const kind = text === null ? 'windows-1252' : 'utf-8';
    if (text !== null && !beyondAscii.test(text)) return withoutMark(text);
    if (seen && seen !== kind) throw unreadable(`${name} is not UTF-8 text throughout: save it as 'CSV UTF-8'.`);
    seen = kind;
    if (text !== null) return withoutMark(text);
    const old = decodedAs('windows-1252', bytes) ?? '';
    if (control.test(old)) throw unreadable(`${name} is not a table: CSV, TSV and XLSX files are read.`);
    return old;
  };
  const withoutMark = (text: string): string => {
    const bare = isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
    isFirst = false;
    return bare;
  };
  return {
    read: (chunk) => {
      const bytes = held.length ? Buffer.concat([held, chunk]) : chunk;
      const end = bytes.findLastIndex((byte) => byte < 0x80) + 1;
      held = bytes.subarray(end);
      return end === 0 ? '' : decode(bytes.subarray(0, end));
    },
    end: () => (held.length ? decode(held) : ''),
    isOldWindows: () => seen === 'windows-1252',
  };
}

function decodedAs(encoding: 'utf-8' | 'windows-1252', bytes: Buffer): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
