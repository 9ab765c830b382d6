import type { LocationRef } from '../../../domain/location.ts';
import { withDraft } from '../../offline/day/overlay.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import type { Offline } from '../../offline/offline.ts';
import {
  clearDrafts,
  isFrom,
  listDrafts,
  putDrafts,
  removeDraft,
  restoreWords,
  type VisitWords,
} from '../../offline/outbox/drafts.ts';
import { restOfDraft } from '../../offline/outbox/less-saved.ts';
import { movementsOf } from '../../offline/outbox/outbox.ts';
import { type Draft, type DraftWork, itemKey, placeKey, type StockEntry } from '../../offline/outbox/records.ts';
import { NotSavedError } from '../../offline/outbox/room.ts';
import type { StoredKind } from '../../offline/outbox/signal.ts';
import { uuidV4 } from '../../offline/uuid.ts';
import { clampQuantity, isSameGesture, type Step, workAfter } from './draft-steps.ts';
import { unitsToFill } from './fill-to-par.ts';

export type Drafts = ReadonlyMap<string, Draft>;
type JustSaved = ReadonlyMap<string, readonly StockEntry[]>;

const ofDrafts: readonly StoredKind[] = ['drafts'];
const withWords: readonly StoredKind[] = ['drafts', 'visits'];

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
  /** On the screen only: the phone had no room for them. Tried again with every further write and before saving. */
  private unkept = new Map<string, Draft>();
  /** Drafts that were on the phone: another tab may have saved them since. */
  private readonly kept = new Set<string | undefined>();
  private changes = 0;
  /** What is on the phone may be newer than what is shown. */
  private isReadDue = false;
  private isTelling = false;
  private heardUpTo = -1;
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

  /** Something stored changed. The desk's own taps are on the screen already: reading them again would be felt at the next. */
  heard = (): void => {
    const revision = this.offline.signal.revision(ofDrafts);
    if (revision === this.heardUpTo && this.unkept.size === 0) return;
    this.heardUpTo = revision;
    if (!this.isTelling) void this.load().catch(() => undefined);
  };

  /** Takes over what is on the phone; where a tap comes in between, once that is written. */
  async load(): Promise<void> {
    this.isReadDue = true;
    while (this.isReadDue) {
      await this.writes;
      if (this.unkept.size > 0) await this.keepLeft();
      // A tap meanwhile: what would be read now may be older than the screen. The end of its write goes on here.
      if (this.pendingWrites > 0) return;
      const before = this.changes;
      const stored = await listDrafts(this.offline.store, this.userId);
      if (before !== this.changes) continue;
      this.isReadDue = false;
      for (const { draftId } of stored) this.kept.add(draftId);
      this.show(new Map([...stored.map((draft) => [itemKey(draft), draft] as const), ...this.unkept]));
    }
  }

  /** These changes have left the desk: they are saved on the phone. Of what was tapped since then the rest stays. */
  saved(entries: readonly StockEntry[]): void {
    const rest = new Map(this.drafts);
    const goesOn: Draft[] = [];
    const over: Draft[] = [];
    for (const key of new Set(entries.map(({ itemKey }) => itemKey))) {
      const draft = rest.get(key);
      const own = draft ? entries.filter((entry) => isFrom(draft, entry)) : [];
      if (!draft || own.length === 0) continue;
      rest.delete(key);
      if (isSaid(draft, own)) continue;
      const left = restOfDraft(draft, own, this.newId());
      if (left) goesOn.push(left);
      else over.push(draft);
    }
    const fresh = new Map(this.fresh);
    for (const entry of entries) fresh.set(entry.itemKey, [...(fresh.get(entry.itemKey) ?? []), entry]);
    this.fresh = fresh;
    this.show(rest);
    if (goesOn.length > 0) this.putAll(goesOn);
    for (const draft of over) this.drop(draft);
  }

  /** These rows were read back: what they hold is no longer kept here. */
  readBack(rows: readonly StockRow[]): void {
    if (this.fresh.size === 0) return;
    const seen = new Map(rows.map((row) => [itemKey(row), row.lastSeq]));
    const left = [...this.fresh].filter(([key, own]) => own.some((entry) => (seen.get(key) ?? 0) < entry.seq));
    if (left.length < this.fresh.size) this.fresh = new Map(left);
  }

  /** Every change so far is on the disk when this resolves; rejects when the phone has no room for one. */
  async settled(): Promise<void> {
    await this.writes;
    if (this.unkept.size > 0) await this.keepLeft();
    if (this.unkept.size > 0) throw new NotSavedError();
  }

  apply(location: LocationRef, row: StockRow, step: Step): void {
    const draft = this.after(location, row, step);
    if (draft) this.put(draft);
  }

  /** Fills every row up in one go, as restocks; returns the way to take all of it back. */
  fill(location: LocationRef, rows: readonly StockRow[]): { filled: number; undo: () => void } {
    const before = rows.map((row) => this.drafts.get(itemKey(row)));
    const added = rows.flatMap((row) => {
      const units = unitsToFill(row, withDraft(row.quantity, this.drafts.get(itemKey(row))));
      return (units > 0 && this.after(location, row, { type: 'add', units, reason: 'fill' })) || [];
    });
    this.putAll(added);
    const undo = () => {
      for (const draft of added) {
        // Saved by now: what came before it is saved as well, and what is typed there since goes on from that.
        if (this.drafts.get(itemKey(draft))?.shown !== draft.shown) continue;
        const earlier = before.find((one) => one && itemKey(one) === itemKey(draft));
        if (earlier) this.put(earlier);
        else this.drop(draft);
      }
    };
    return { filled: added.length, undo };
  }

  private after(location: LocationRef, row: StockRow, step: Step): Draft | null {
    const known = this.drafts.get(itemKey(row)) ?? null;
    const limited = withinLimits(step, { balance: row.quantity, work: known, capacity: row.capacity });
    if (!limited) return null;
    const earlier = known?.earlier ?? [];
    return {
      draftId: known?.draftId ?? this.newId(),
      userId: this.userId,
      itemType: row.itemType,
      itemId: row.itemId,
      location,
      locationKey: placeKey(location),
      productName: row.productName,
      productId: row.productId,
      ...(row.planned ? { plannedName: row.planned.productName } : {}),
      shown: known?.shown ?? row.quantity,
      ...workAfter(known && workOf(known), limited),
      earlier:
        known && !isSameGesture(known.change, limited) ? [...earlier, asEarlier(known)].slice(-undoDepth) : earlier,
      changedAt: new Date(this.offline.environment.now()).toISOString(),
      lastServerTime: null,
    };
  }

  /** Takes back the last change of an item. */
  undo(row: StockRow): void {
    const known = this.drafts.get(itemKey(row));
    const last = known?.earlier.at(-1);
    if (!known) return;
    if (!last) {
      this.drop(row);
      return;
    }
    const { found: _found, taken: _taken, ...rest } = known;
    const { found, taken, ...change } = last;
    this.put({ ...rest, ...about(found, taken), change, earlier: known.earlier.slice(0, -1) });
  }

  private drop(item: Pick<StockRow, 'itemType' | 'itemId'>): void {
    const rest = new Map(this.drafts);
    rest.delete(itemKey(item));
    this.unkept.delete(itemKey(item));
    this.show(rest);
    this.write(() => removeDraft(this.offline.store, this.userId, item));
  }

  /** Forgets a location's changes, its note and its photos; returns the way to take all of it back. */
  clear(location: LocationRef): { cleared: number; undo: () => void } {
    const key = placeKey(location);
    const cleared = [...this.drafts.values()].filter((draft) => draft.locationKey === key);
    for (const draft of cleared) this.unkept.delete(itemKey(draft));
    this.show(new Map([...this.drafts].filter(([, draft]) => draft.locationKey !== key)));
    const { store } = this.offline;
    let words: VisitWords | null = null;
    this.write(async () => {
      words = await clearDrafts(store, this.userId, location);
    }, withWords);
    const undo = () => {
      this.putAll(cleared);
      this.write(async () => {
        if (words) await restoreWords(store, { userId: this.userId, location }, words);
      }, withWords);
    };
    return { cleared: cleared.length, undo };
  }

  private putAll(drafts: readonly Draft[]): void {
    this.show(new Map([...this.drafts, ...drafts.map((draft) => [itemKey(draft), draft] as const)]));
    this.write(() => this.keep(drafts));
  }

  private put(draft: Draft): void {
    this.show(new Map(this.drafts).set(itemKey(draft), draft));
    this.write(() => this.keep([draft]));
  }

  private async keep(drafts: readonly Draft[]): Promise<void> {
    for (const draft of drafts) this.unkept.set(itemKey(draft), draft);
    const isGoingOn = drafts.some(({ draftId }) => this.kept.has(draftId));
    const isOther = await putDrafts(this.offline.store, drafts, isGoingOn ? { newId: this.newId } : null);
    if (isOther) this.isReadDue = true;
    for (const draft of drafts) {
      this.kept.add(draft.draftId);
      if (this.unkept.get(itemKey(draft)) === draft) this.unkept.delete(itemKey(draft));
    }
  }

  private newId = (): string => uuidV4(this.offline.environment.randomBytes);

  /** There may be room again; what does not fit stays on the screen. */
  private async keepLeft(): Promise<void> {
    await Promise.allSettled([...this.unkept.values()].map((draft) => this.keep([draft])));
  }

  private show(drafts: Drafts): void {
    this.changes += 1;
    this.drafts = drafts;
    for (const listener of this.listeners) listener();
  }

  private write(work: () => Promise<void>, kinds = ofDrafts): void {
    this.changes += 1;
    this.pendingWrites += 1;
    this.writes = this.writes.then(work).then(
      () => {
        this.pendingWrites -= 1;
        this.isTelling = true;
        this.offline.signal.changed(kinds);
        this.isTelling = false;
        if (this.isReadDue || this.unkept.size > 0) void this.load().catch(() => undefined);
      },
      // The store itself raises the blocking NOT saved state; the change stays on the screen.
      () => {
        this.pendingWrites -= 1;
      },
    );
  }
}

/** Only what is known: the record has no empty fields. */
function about(found: DraftWork['found'], taken: DraftWork['taken']): Pick<DraftWork, 'found' | 'taken'> {
  return { ...(found === undefined ? {} : { found }), ...(taken ? { taken } : {}) };
}

function workOf({ change, found, taken }: Draft): DraftWork {
  return { change, ...about(found, taken) };
}

/** Exactly this was saved, and with that it is off the phone's drafts. */
function isSaid(draft: Draft, saved: readonly StockEntry[]): boolean {
  const now = movementsOf(draft);
  const movements = saved.map(({ event }) => event);
  return (
    movements.every(({ occurredAtClient }) => occurredAtClient === draft.changedAt) &&
    now.length === movements.length &&
    now.every(({ kind, quantity }, i) => kind === movements[i]?.kind && quantity === movements[i]?.quantity)
  );
}

function asEarlier({ change, found, taken }: Draft): Draft['earlier'][number] {
  return { ...change, ...about(found, taken) };
}

type Limits = { balance: number; work: DraftWork | null; capacity: number | null };

/** The step as far as what is there and what the slot holds let it go; null when nothing is left of it. */
function withinLimits(step: Step, { balance, work, capacity }: Limits): Step | null {
  const shown = withDraft(balance, work ?? undefined);
  switch (step.type) {
    case 'count':
    case 'found':
      return { ...step, quantity: clampQuantity(step.quantity, capacity) };
    case 'put': {
      const without = withDraft(balance, workAfter(work, { type: 'put', units: 0 }));
      return { ...step, units: clampQuantity(step.units, capacity === null ? null : capacity - without) };
    }
    case 'taken': {
      const before = work?.taken?.[step.why] ?? 0;
      const most = work?.change.kind === 'count' ? null : before + shown;
      return { ...step, units: clampQuantity(step.units, most) };
    }
    default: {
      const units = capacity === null ? step.units : Math.min(step.units, capacity - shown);
      return units > 0 ? { ...step, units } : null;
    }
  }
}
