import { isFilling } from '../../../domain/filling.ts';
import { isAfter } from '../../../domain/inventory.ts';
import type { LedgerEvent } from '../ledger.ts';

type Movement = Pick<LedgerEvent, 'eventId' | 'effectiveAtUs' | 'kind' | 'quantity' | 'reason'>;

/**
 * The filling that dates what is in a slot after one slot's movements: the last into the empty slot, else the first, whose
 * units lie beside those that were left. `wasEmpty` is of the moment of the filling: one save takes out and puts in.
 */
export function fillingOf(
  before: number,
  movements: readonly Movement[],
): { atUs: number; wasEmpty: boolean } | undefined {
  let quantity = before;
  const fillings = movements
    .toSorted((a, b) => (isAfter(position(a), position(b)) ? 1 : -1))
    .flatMap((movement) => {
      const wasEmpty = quantity <= 0;
      quantity = movement.kind === 'count' ? movement.quantity : quantity + movement.quantity;
      return isFilling(movement) ? [{ atUs: movement.effectiveAtUs, wasEmpty }] : [];
    });
  return fillings.findLast(({ wasEmpty }) => wasEmpty) ?? fillings[0];
}

const position = (movement: Movement) => ({ eventId: movement.eventId, effectiveAt: movement.effectiveAtUs });
