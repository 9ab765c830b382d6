import type { LocationRef } from '../../domain/location.ts';
import { clearDrafts, listDrafts, putDraft, removeDraft } from '../offline/drafts.ts';
import type { Offline } from '../offline/offline.ts';
import { withDraft } from '../offline/overlay.ts';
import type { StockRow } from '../offline/reads.ts';
import { type Draft, itemKey, placeKey, type StockEntry } from '../offline/records.ts';
import { changeAfter, clampQuantity, isSameGesture, type Step } from './draft-steps.ts';

export type Drafts = ReadonlyMap<string, Draft>;
type JustSaved = ReadonlyMap<string, StockEntry>;

/** How many changes of an item can be undone. */
const undoDepth = 20;

/**
 * The driver's unsaved changes: shown at once, and written to the phone right behind each tap, one after the other.
 * What is on the phone is read again when another tab changes it.
 */
export class DraftDesk {
  private drafts: Drafts = new Map();
  private fresh: JustSaved = new Map();
  private writes: Promise<void> = Promise.resolve();
  private pendingWrites = 0;
  private changes = 0;
  private readonly listeners = new Set<() => void>();
  private readonly offline: Offline;
  private readonly userId: number;

  constructor(offline: Offline, userId: number) {
    this.offline = offline;
    this.userId = userId;
  }

  get = (): Drafts => this.drafts;

  /** What was saved and may not have been read back yet. */
  justSaved = (): JustSaved => this.fresh;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Takes over what is on the phone, unless a tap came in between. */
  async load(): Promise<void> {
    await this.writes;
    // A tap meanwhile: what would be read now may be older than the screen. Its own write asks again.
    if (this.pendingWrites > 0) return;
    const before = this.changes;
    const stored = await listDrafts(this.offline.store, this.userId);
    if (before === this.changes) this.show(new Map(stored.map((draft) => [itemKey(draft), draft])));
  }

  /** These changes have left the desk: they are saved on the phone. A tap made since then stays. */
  saved(entries: readonly StockEntry[]): void {
    const rest = new Map(this.drafts);
    for (const { itemKey: key, event } of entries) {
      if (rest.get(key)?.changedAt === event.occurredAtClient) rest.delete(key);
    }
    this.fresh = new Map([...this.fresh, ...entries.map((entry) => [entry.itemKey, entry] as const)]);
    this.show(rest);
  }

  /** These rows were read back: what they hold is no longer kept here. */
  readBack(rows: readonly StockRow[]): void {
    if (this.fresh.size === 0) return;
    const seen = new Map(rows.map((row) => [itemKey(row), row.lastSeq]));
    const left = [...this.fresh].filter(([key, entry]) => (seen.get(key) ?? 0) < entry.seq);
    if (left.length < this.fresh.size) this.fresh = new Map(left);
  }

  /** Every change so far is on the disk when this resolves. */
  settled(): Promise<void> {
    return this.writes;
  }

  apply(location: LocationRef, row: StockRow, step: Step): void {
    const known = this.drafts.get(itemKey(row)) ?? null;
    const shown = withDraft(row.quantity, known ?? undefined);
    const limited = withinLimits(step, shown, row.capacity);
    if (!limited) return;
    const current = known?.change ?? null;
    const earlier = known?.earlier ?? [];
    this.put({
      userId: this.userId,
      itemType: row.itemType,
      itemId: row.itemId,
      location,
      locationKey: placeKey(location),
      productName: row.productName,
      shown: known?.shown ?? row.quantity,
      change: changeAfter(current, limited),
      earlier: current && !isSameGesture(current, limited) ? [...earlier, current].slice(-undoDepth) : earlier,
      changedAt: new Date(this.offline.environment.now()).toISOString(),
      lastServerTime: null,
    });
  }

  /** Takes back the last change of an item. */
  undo(row: StockRow): void {
    const known = this.drafts.get(itemKey(row));
    const change = known?.earlier.at(-1);
    if (!known) return;
    if (change) {
      this.put({ ...known, change, earlier: known.earlier.slice(0, -1) });
      return;
    }
    const rest = new Map(this.drafts);
    rest.delete(itemKey(row));
    this.show(rest);
    this.write(() => removeDraft(this.offline.store, this.userId, row));
  }

  /** Forgets a location's changes; returns them, for a change of mind. */
  clear(location: LocationRef): Draft[] {
    const key = placeKey(location);
    const cleared = [...this.drafts.values()].filter((draft) => draft.locationKey === key);
    this.show(new Map([...this.drafts].filter(([, draft]) => draft.locationKey !== key)));
    this.write(() => clearDrafts(this.offline.store, this.userId, location));
    return cleared;
  }

  restore(drafts: readonly Draft[]): void {
    for (const draft of drafts) this.put(draft);
  }

  private put(draft: Draft): void {
    this.show(new Map(this.drafts).set(itemKey(draft), draft));
    this.write(() => putDraft(this.offline.store, draft));
  }

  private show(drafts: Drafts): void {
    this.changes += 1;
    this.drafts = drafts;
    for (const listener of this.listeners) listener();
  }

  private write(work: () => Promise<void>): void {
    this.changes += 1;
    this.pendingWrites += 1;
    this.writes = this.writes.then(work).then(
      () => {
        this.pendingWrites -= 1;
        this.offline.signal.changed(['drafts']);
      },
      // The store itself raises the blocking NOT saved state; the change stays on the screen.
      () => {
        this.pendingWrites -= 1;
      },
    );
  }
}

/** The step as far as the slot's limits let it go; null when nothing is left of it. */
function withinLimits(step: Step, shown: number, capacity: number | null): Step | null {
  if (step.type === 'count') return { ...step, quantity: clampQuantity(step.quantity, capacity) };
  const units = capacity === null ? step.units : Math.min(step.units, capacity - shown);
  return units > 0 ? { ...step, units } : null;
}
