/** Where slots stand on a machine's front: no schema here, so that none is loaded for it. */

/**
 * A machine's slots as its front shows them: trays from top to bottom, each from left to right. The tray is the letter
 * of a code such as A1, or the tens of a number such as 12.
 */
export function traysOf<S extends { slotNumber: string | null }>(slots: readonly S[]): S[][] {
  const trays = new Map<string, S[]>();
  for (const slot of [...slots].sort((a, b) => natural.compare(a.slotNumber ?? '', b.slotNumber ?? ''))) {
    const tray = trayOf(slot.slotNumber ?? '');
    trays.set(tray, [...(trays.get(tray) ?? []), slot]);
  }
  return [...trays.values()];
}

/** The tray of a slot number: A of A1, 1 of 12; the empty text where it names none. */
export function trayOf(slotNumber: string): string {
  const letters = /^[A-Za-z]+/.exec(slotNumber)?.[0];
  if (letters) return letters.toUpperCase();
  return /^\d{2,}$/.test(slotNumber) ? slotNumber.slice(0, -1) : '';
}

const natural = new Intl.Collator('en', { numeric: true });

/** The first free slot number of a tray after its last one: A6 after A1 and A5. */
export function nextInTray(tray: string, taken: Iterable<string>): string {
  const used = [...taken].filter((slotNumber) => trayOf(slotNumber) === tray);
  const last = Math.max(0, ...used.map((slotNumber) => Number(slotNumber.slice(tray.length)) || 0));
  return `${tray}${last + 1}`;
}

/** A machine does not tell capitals apart: A1 and a1 are one selection. */
export const slotKey = (slotNumber: string): string => slotNumber.toLowerCase();

/** The slot that a number told by others means: as it is written, or else the only one that differs in capitals alone. */
export function slotMeant(slotNumbers: ReadonlySet<string>, told: string): string | null {
  if (slotNumbers.has(told)) return told;
  const [only, ...more] = [...slotNumbers].filter((slotNumber) => slotKey(slotNumber) === slotKey(told));
  return more.length === 0 ? (only ?? null) : null;
}

/** What is said of a slot number that another slot has in other capitals. */
export const sameNumber = (slotNumber: string, other: string): string =>
  `This machine has slot ${other} already, and ${slotNumber} is the same number. Choose another slot number.`;
