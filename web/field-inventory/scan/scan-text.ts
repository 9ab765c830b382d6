import type { LocationRef } from '../../../domain/location.ts';
import { expandUpcE, isGtin } from '../../../domain/product.ts';

/** The sentence for digits that cannot be a barcode as printed. Null for everything that may be one. */
export function checkDigitProblem(code: string): string | null {
  if (!/^(\d{8}|\d{12,14})$/.test(code) || isGtin(code) || expandUpcE(code)) return null;
  return 'The last digit of this barcode does not fit the others. Scan it again, or type it anew.';
}

/** The location a QR code names by an address such as `https://host/mobile-inventory?type=vending_machine&id=7`. */
export function locationInScan(text: string): LocationRef | null {
  const query = /^(?:https?:\/\/|\/)[^?\s]*\?(\S+)$/.exec(text.trim())?.[1];
  if (query === undefined) return null;
  const params = new URLSearchParams(query);
  const type = params.get('type');
  const id = Number(params.get('id'));
  if (type !== 'market' && type !== 'vending_machine') return null;
  return Number.isInteger(id) && id > 0 ? { type, id } : null;
}

/** A code not seen for this long has left the camera; the same one later is a new scan, ms. */
const outOfSightMs = 1500;

/** Tells a scan from the next look at the same code, and from a second scan of it. */
export class ScanMemory {
  private readonly lastSeen = new Map<string, number>();
  private readonly taken = new Map<string, number>();

  /** How often this code was scanned with this one; null while it is the same look of the camera. */
  take(code: string, nowMs: number, from: 'camera' | 'typed'): number | null {
    const seenMs = this.lastSeen.get(code);
    this.lastSeen.set(code, nowMs);
    if (from === 'camera' && seenMs !== undefined && nowMs - seenMs < outOfSightMs) return null;
    const times = (this.taken.get(code) ?? 0) + 1;
    this.taken.set(code, times);
    return times;
  }
}
