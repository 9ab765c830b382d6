const table = new Uint16Array(256).map((_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  return crc;
});

/** CRC-16/ARC: polynomial 0x8005 reflected, start 0, no final xor; the text `123456789` gives 0xBB3D. */
export function crc16(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = 0;
  for (let at = from; at < to; at++) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return crc;
}

/** How a checksum was found to hold; firmware differs in what it covers and in the order of its two bytes. */
export type CrcForm = 'standard' | 'without-final-crlf' | 'byte-swapped';

export type Checksum = {
  verdict: 'ok' | 'mismatch' | 'absent';
  /** Null unless the verdict is ok. */
  form: CrcForm | null;
  /** As the file states it, and as it should read; null where the file states none. */
  stated: string | null;
  computed: string | null;
};

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0');
const swapped = (crc: number): number => ((crc & 0xff) << 8) | (crc >>> 8);

/**
 * Compares G85 with the bytes it covers: from the S of ST up to and including the CRLF before G85.
 * `covered` ends in that CRLF. Hexadecimal digits are compared without regard to case.
 */
export function verify(covered: Uint8Array, stated: string): Checksum {
  const whole = crc16(covered);
  const short = crc16(covered, 0, Math.max(0, covered.length - 2));
  const wanted = stated.trim().toUpperCase();
  const forms: [CrcForm, string][] = [
    ['standard', hex(whole)],
    ['without-final-crlf', hex(short)],
    ['byte-swapped', hex(swapped(whole))],
    ['byte-swapped', hex(swapped(short))],
  ];
  const found = forms.find(([, value]) => value === wanted);
  return {
    verdict: found ? 'ok' : 'mismatch',
    form: found?.[0] ?? null,
    stated: wanted.slice(0, 16),
    computed: found?.[1] ?? hex(whole),
  };
}
