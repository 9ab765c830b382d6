import { crc16 } from './checksum.ts';

/** Bytes of a text in Latin-1. */
export const latin1Bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0) & 0xff);

/** A whole file around some content lines, with the right checksum and line count: for tests and measurements. */
export function buildDex(lines: readonly string[], frame: { serial?: string; lineEnd?: string } = {}): string {
  const { serial = 'ABC0000001', lineEnd = '\r\n' } = frame;
  const covered = ['ST*001*0001', ...lines, ''].join('\r\n');
  const crc = crc16(latin1Bytes(covered)).toString(16).toUpperCase().padStart(4, '0');
  const all = [
    `DXS*${serial}*VA*V0/6*1`,
    'ST*001*0001',
    ...lines,
    `G85*${crc}`,
    `SE*${lines.length + 3}*0001`,
    'DXE*1*1',
  ];
  return `${all.join(lineEnd)}${lineEnd}`;
}
