import type { Slot } from '../../contract/machines.ts';
import type { NeededItem } from '../../contract/need.ts';
import { type FieldStatus, frontStatus } from '../../domain/stock-status.ts';
import { formatMoney } from '../http/format.ts';
import { operatorRules } from '../http/operator-rules.ts';
import { StateShape } from '../ui/badge.tsx';
import { ProductPicture } from '../ui/product-picture.tsx';

export type Shown = 'fill' | 'cover' | 'sales' | 'price';
export type FaceStatus = FieldStatus;

export const faceStatus = (slot: Slot): FaceStatus => frontStatus(slot, operatorRules());

export const statusWord: Record<FaceStatus, string> = { out: 'Empty', low: 'Low', good: '' };
export const statusTone = { out: 'bad', low: 'warn', good: 'ok' } as const;

type Props = { slot: Slot; need: NeededItem | undefined; shown: Shown; currency: string };

/** One slot as it looks from the front: number and price, product, fill level, figure. */
export function SlotFace({ slot, need, shown, currency }: Props) {
  const status = faceStatus(slot);
  return (
    <>
      <span className="flex justify-between gap-1 text-12">
        <span className="font-semibold">{slot.slotNumber}</span>{' '}
        <span className="text-text-2">{formatMoney(slot.price, currency)}</span>
      </span>{' '}
      <span className="flex min-h-8 items-start gap-1">
        <ProductPicture productId={slot.productId} picture={slot.picture} size={32} />
        <span className="line-clamp-2 min-w-0 text-12" title={slot.productName}>
          {slot.planned ? `${slot.productName} → ${slot.planned.productName}` : slot.productName}
        </span>
      </span>{' '}
      <Ticks slot={slot} status={status} />
      <span className="flex items-center justify-between gap-1 text-12">
        <span className="inline-flex items-center gap-1 font-medium">
          {status !== 'good' && (
            <>
              <StateShape tone={statusTone[status]} size={8} />
              {statusWord[status]}
            </>
          )}
        </span>{' '}
        <span className="font-semibold">{figure({ slot, need, shown, currency })}</span>
      </span>
    </>
  );
}

/** More units than this are one bar: single marks would be too thin to see. */
const mostTicks = 15;

const tickLook: Record<FaceStatus, string> = { out: 'bg-bad', low: 'bg-warn', good: 'bg-idle' };

function Ticks({ slot, status }: { slot: Slot; status: FaceStatus }) {
  const { currentQuantity, maxQuantity } = slot;
  if (maxQuantity > mostTicks) {
    const share = Math.min(100, (100 * currentQuantity) / maxQuantity);
    return (
      <span className="print-ground block h-2 border border-line-ctl">
        <span className={`block h-full ${tickLook[status]}`} style={{ width: `${share}%` }} />
      </span>
    );
  }
  return (
    <span className="print-ground flex h-2 gap-px">
      {Array.from({ length: maxQuantity }, (_, n) => (
        <i
          key={`${n + 1}-of-${maxQuantity}`}
          className={`block flex-1 ${n < currentQuantity ? tickLook[status] : 'border border-line-ctl'}`}
        />
      ))}
    </span>
  );
}

function figure({ slot, need, shown, currency }: Props): string {
  if (shown === 'price') return formatMoney(slot.price, currency);
  if (shown === 'fill') return `${slot.currentQuantity}/${slot.maxQuantity}`;
  if (!need) return '–';
  if (shown === 'sales') return `${need.perDay.toFixed(1)} a day`;
  return need.daysOfCover === null ? 'no sales' : `${need.daysOfCover.toFixed(1)} d`;
}
