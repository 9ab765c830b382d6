/** Randomness is handed in; `crypto.randomUUID` is missing on plain-http addresses of a local network. */
export type RandomBytes = (count: number) => Uint8Array;

function format(bytes: Uint8Array): string {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function stamp(bytes: Uint8Array, version: number): Uint8Array {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}

export function uuidV4(random: RandomBytes): string {
  return format(stamp(random(16), 4));
}

/** The last id given out: its millisecond and the counter within it. */
export type UuidClock = { uuidMs: number; uuidCount: number };

const countLimit = 0xfff;

/** The clock moved on for one more id: never backwards, even when the phone's clock is set back. */
export function tick(last: UuidClock, nowMs: number): UuidClock {
  if (nowMs > last.uuidMs) return { uuidMs: nowMs, uuidCount: 0 };
  if (last.uuidCount < countLimit) return { uuidMs: last.uuidMs, uuidCount: last.uuidCount + 1 };
  return { uuidMs: last.uuidMs + 1, uuidCount: 0 };
}

/** UUID version 7 with a 12-bit counter after the time (RFC 9562, section 6.2, method 1). */
export function uuidV7(clock: UuidClock, random: RandomBytes): string {
  const bytes = random(16);
  let ms = clock.uuidMs;
  for (let i = 5; i >= 0; i--) {
    bytes[i] = ms % 256;
    ms = Math.floor(ms / 256);
  }
  bytes[6] = clock.uuidCount >> 8;
  bytes[7] = clock.uuidCount & 0xff;
  return format(stamp(bytes, 7));
}
