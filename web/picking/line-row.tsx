import type { PickLine } from '../../contract/picking.ts';
import { shortReasonLabel } from '../../domain/picking.ts';
import { Flag } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ProductPicture } from '../ui/product-picture.tsx';
import { Quantity } from './quantity.tsx';

type Props = {
  line: PickLine;
  isOpen: boolean;
  /** Null takes the pick back. */
  onPick: (picked: number | null) => void;
  onShort: () => void;
};

/** One product for one slot: a tap takes all of it, 'Short' says what was not there. */
export function LineRow({ line, isOpen, onPick, onShort }: Props) {
  const { productName, slotNumber, planned, picked, caseSize } = line;
  const isPicked = picked !== null;
  return (
    <li className="flex min-h-12 items-center gap-3 border-line border-t px-4 py-1 max-sm:px-2 print:min-h-0 print:py-0">
      <button
        type="button"
        aria-pressed={isPicked}
        aria-label={`${planned} ${productName}${slotNumber ? `, ${slotNumber}` : ''}`}
        disabled={!isOpen}
        onClick={() => onPick(isPicked ? null : planned)}
        className="flex min-h-12 min-w-0 flex-1 items-center gap-3 text-left disabled:cursor-default print:min-h-7"
      >
        <span
          className={`grid size-6 flex-none place-items-center rounded-s border print:size-4 print:border-text ${isPicked ? 'border-ok bg-ok text-on-state print:text-text' : 'border-line-ctl bg-ground'}`}
        >
          {isPicked && <Icon name="check" />}
        </span>
        <Quantity units={planned} caseSize={caseSize} className="min-w-6 sm:min-w-28" />
        <ProductPicture productId={line.productId} picture={line.picture} size={40} />
        <span className="min-w-0 flex-1">
          <span className={isPicked ? 'text-text-2' : ''}>{productName}</span>
          <Remark line={line} />
        </span>
        {slotNumber && <span className="flex-none font-medium text-text-2 tabular-nums">{slotNumber}</span>}
      </button>
      {isOpen && (
        <Button
          variant="quiet"
          aria-label={`Short of ${productName}${slotNumber ? `, ${slotNumber}` : ''}`}
          onClick={onShort}
          className="max-lg:min-h-12"
        >
          Short
        </Button>
      )}
    </li>
  );
}

function Remark({ line: { planned, picked, reason, instead } }: { line: PickLine }) {
  if (picked === null || (picked === planned && !instead)) return null;
  const why = reason ? shortReasonLabel[reason].toLowerCase() : 'less than asked for';
  return (
    <span className="block text-12">
      {picked < planned && <Flag tone="warn">{`${picked} of ${planned}, ${why}`}</Flag>}
      {picked > planned && <Flag tone="warn">{`${picked} picked, ${planned} asked for`}</Flag>}
      {instead && <span className="text-text-2">{` ${instead.units} ${instead.name} instead`}</span>}
    </span>
  );
}
