import { type FieldStatus, fieldStatus } from '../../domain/stock-status.ts';
import type { ItemState } from '../offline/overlay.ts';
import { Flag, type Tone } from '../ui/badge.tsx';
import { slotWord, stateWord, stockWord } from './wording.ts';

const stateTone: Record<Exclude<ItemState, 'none'>, Tone> = {
  draft: 'idle',
  saved_on_phone: 'idle',
  sending: 'run',
  saved: 'ok',
  superseded: 'idle',
  needs_attention: 'bad',
};

/** Where a change is: on this screen, on this phone, under way, or with the server. */
export function StateWord({ state }: { state: ItemState }) {
  if (state === 'none') return null;
  return (
    <span className="text-14">
      <Flag tone={stateTone[state]}>{stateWord[state]}</Flag>
    </span>
  );
}

export const stockTone: Record<FieldStatus, Tone> = { out: 'bad', low: 'warn', good: 'ok' };

/** The dot and the word for how full a shelf place or slot is. */
export function StockWord({ quantity, minimum, isSlot }: { quantity: number; minimum: number; isSlot: boolean }) {
  const status = fieldStatus(quantity, minimum);
  return <Flag tone={stockTone[status]}>{isSlot ? slotWord(status, minimum) : stockWord[status]}</Flag>;
}
