import type { StockEvent } from '../../../domain/inventory.ts';
import { withDraft, withUnsent } from '../day/overlay.ts';
import type { Draft, DraftWork, StockEntry } from './records.ts';

type Said = Pick<StockEvent, 'kind' | 'quantity' | 'reason'>;
/** What was saved of an item: how much was shown before and what that leaves. */
type Saved = { movements: readonly Said[]; shown: number; left: number };

/**
 * What is still to be said of an item that was changed on while its change was being saved: said again, what was put in or taken out
 * would count twice. Where the rest does not come to what the driver sees, as after a number was lowered, what is there is counted
 * first. Null where nothing is left.
 */
export function lessSaved(work: DraftWork, { movements, shown, left }: Saved): DraftWork | null {
  const { change, taken = {} } = work;
  const said = (kind: Said['kind'], reason?: string): number =>
    movements
      .filter((one) => one.kind === kind && (reason === undefined || one.reason === reason))
      .reduce((sum, { quantity }) => sum + Math.abs(quantity), 0);
  const rest = Object.entries(taken)
    .map(([why, units]) => [why, units - (why === 'removed' ? said('removal') : said('spoilage', why))] as const)
    .filter(([, units]) => units > 0);
  const units = change.kind === 'count' ? change.quantity : Math.max(0, change.quantity - said('restock'));
  const further = {
    change: { ...change, quantity: units },
    ...(rest.length > 0 ? { taken: Object.fromEntries(rest) } : {}),
  };
  const short = withDraft(shown, work) - withDraft(left, further);
  if (short !== 0) return { ...further, found: Math.max(0, left + short) };
  return rest.length === 0 && change.kind === 'restock' && units === 0 ? null : further;
}

/** What is left of a draft that goes on after it was saved, as a draft of its own; null where nothing is. */
export function restOfDraft(draft: Draft, saved: readonly StockEntry[], draftId: string): Draft | null {
  const { found, taken, ...item } = draft;
  const work = { change: draft.change, ...(found === undefined ? {} : { found }), ...(taken ? { taken } : {}) };
  // As it was when it was saved, whatever the server has said since.
  const unsent = saved.map((entry) => ({ ...entry, status: 'unsent' as const }));
  const shown = withUnsent(draft.shown, unsent);
  const movements = saved.map(({ event }) => event);
  const left = lessSaved(work, { movements, shown: draft.shown, left: shown });
  return left && { ...item, ...left, shown, earlier: [], draftId };
}
