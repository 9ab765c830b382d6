import { type FieldStatus, fieldStatus } from '../../../domain/stock-status.ts';
import { formatDay } from '../../http/format.ts';
import { Flag, type Tone } from '../../ui/badge.tsx';
import { slotWord, stockWord } from '../wording.ts';

export const stockTone: Record<FieldStatus, Tone> = { out: 'bad', low: 'warn', good: 'ok' };

/** The dot and the word for how full a shelf place or slot is. */
export function StockWord({ quantity, minimum, isSlot }: { quantity: number; minimum: number; isSlot: boolean }) {
  const status = fieldStatus(quantity, minimum);
  return <Flag tone={stockTone[status]}>{isSlot ? slotWord(status, minimum) : stockWord[status]}</Flag>;
}

/** What is in a slot may not be sold any more. */
export function PastDate({ day }: { day: string | null }) {
  return day === null ? null : <Flag tone="bad">Past its date, {formatDay(day)}</Flag>;
}
