import type { StockRow } from '../offline/reads.ts';

/**
 * A machine's slots as its front shows them: trays from top to bottom, each from left to right. The tray is the letter
 * of a code such as A1, or the tens of a number such as 12.
 */
export function traysOf(slots: readonly StockRow[]): StockRow[][] {
  const trays = new Map<string, StockRow[]>();
  for (const slot of [...slots].sort(byCode)) {
    const tray = trayOf(slot.slotNumber ?? '');
    trays.set(tray, [...(trays.get(tray) ?? []), slot]);
  }
  return [...trays.values()];
}

function trayOf(code: string): string {
  const letters = /^[A-Za-z]+/.exec(code)?.[0];
  if (letters) return letters.toUpperCase();
  return /^\d{2,}$/.test(code) ? code.slice(0, -1) : '';
}

const natural = new Intl.Collator('en', { numeric: true });

function byCode(a: StockRow, b: StockRow): number {
  return natural.compare(a.slotNumber ?? '', b.slotNumber ?? '');
}
