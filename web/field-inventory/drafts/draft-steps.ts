import { type DraftAction, draftKind, type FieldReason } from '../../../domain/inventory.ts';
import type { DraftChange, DraftWork, Taken } from '../../offline/outbox/records.ts';
import { mostUnits } from '../quantity/quantity-text.ts';

/** One action of the driver on one item, with the reason that is stored for it. */
export type Step = { type: 'count'; quantity: number; reason: FieldReason } | AddStep | ServiceStep;
type AddStep = { type: 'add'; units: number; reason: FieldReason };
/** What was found, what was taken out by why, and what was put in: each replaces what was said before. */
export type ServiceStep =
  | { type: 'found'; quantity: number }
  | { type: 'taken'; why: keyof Taken; units: number }
  | { type: 'put'; units: number };

type ChangeStep = Exclude<Step, ServiceStep>;

const nothingPut: DraftChange = { kind: 'restock', quantity: 0, reason: 'fill' };

/** What is said of an item after one more step. */
export function workAfter(current: DraftWork | null, step: Step): DraftWork {
  const before: DraftWork = current ?? { change: nothingPut };
  switch (step.type) {
    case 'found':
      return { ...before, found: step.quantity };
    case 'taken':
      return { ...before, taken: { ...before.taken, [step.why]: step.units } };
    case 'put':
      return { ...before, change: { kind: 'restock', quantity: step.units, reason: 'fill' } };
    default:
      return { ...before, change: changeAfter(current?.change ?? null, step) };
  }
}

/**
 * The item's change after one more action. Additions alone stay a restock of their sum; once a stepper or a 'set to'
 * action took part, it is a count of what is there now, and keeps that action's reason.
 */
export function changeAfter(current: DraftChange | null, step: ChangeStep): DraftChange {
  const kind = draftKind(current ? [actionOf(current), step] : [step]);
  if (step.type === 'count') return { kind, quantity: step.quantity, reason: step.reason };
  const quantity = (current?.quantity ?? 0) + step.units;
  return { kind, quantity, reason: current && kind === 'count' ? current.reason : step.reason };
}

function actionOf(change: DraftChange): DraftAction {
  return change.kind === 'count'
    ? { type: 'count', quantity: change.quantity }
    : { type: 'add', units: change.quantity };
}

/** Taps of the stepper in a row are one change to undo, not one each. */
export function isSameGesture(current: DraftChange | null, step: Step): boolean {
  if (step.type !== 'count') return false;
  return current?.kind === 'count' && current.reason === 'manual_count' && step.reason === 'manual_count';
}

/** A number typed or stepped to, kept within what the slot holds. A shelf has no upper limit but the ledger's. */
export function clampQuantity(quantity: number, capacity: number | null): number {
  const most = capacity ?? mostUnits;
  return Math.max(0, Math.min(most, Math.round(quantity)));
}
