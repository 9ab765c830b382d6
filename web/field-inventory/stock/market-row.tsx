import { memo, useEffect, useRef } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { restockQuantity } from '../../../domain/stock-status.ts';
import { withDraft } from '../../offline/day/overlay.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import type { Draft } from '../../offline/outbox/records.ts';
import { StateWord } from '../../offline/state-word.tsx';
import type { DraftDesk } from '../drafts/draft-desk.ts';
import { QuantityStepper } from '../quantity/quantity-stepper.tsx';
import { TapButton } from '../quantity/tap-button.tsx';
import { StockWord } from './state-word.tsx';

type MarketRowProps = {
  row: StockRow;
  draft: Draft | undefined;
  desk: DraftDesk;
  location: LocationRef;
  isQuickRestock: boolean;
  /** The row a scan just found: it comes into view. */
  isChosen: boolean;
  onPhoto: (() => void) | null;
};

export const MarketRow = memo(function MarketRow(props: MarketRowProps) {
  const { row, draft, desk, location, isQuickRestock, isChosen, onPhoto } = props;
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: 'center' });
  }, [isChosen]);
  const { productName, minimumQuantity } = row;
  const shown = withDraft(row.quantity, draft);
  const restockTo = restockQuantity(minimumQuantity, { quickRestock: isQuickRestock });
  const apply = desk.apply.bind(desk, location, row);
  return (
    <li
      ref={element}
      className={`grid grid-cols-1 gap-2 border-b border-line px-4 py-3 [contain-intrinsic-size:auto_128px] [content-visibility:auto] ${draft ? 'shadow-[inset_4px_0_0_var(--accent)]' : ''}`}
    >
      <div className="flex min-h-6 items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium text-text">{productName}</p>
          <p className="flex flex-wrap items-center gap-x-3 text-14 text-text-2">
            <StockWord quantity={shown} minimum={minimumQuantity} isSlot={false} />
            <span>Minimum {minimumQuantity}</span>
            {draft && <span>was {draft.shown}</span>}
          </p>
        </div>
        <StateWord state={draft ? 'draft' : row.state} />
      </div>
      {row.reason && !draft && <p className="text-14 text-text-2">{row.reason}</p>}
      <div className="flex items-center justify-between gap-1">
        <QuantityStepper
          label={productName}
          quantity={shown}
          capacity={null}
          size="row"
          onSet={(quantity) => apply({ type: 'count', quantity, reason: 'manual_count' })}
        />
        <div className="-mr-3 flex">
          {draft && (
            <TapButton icon="undo" label={`Undo the last change of ${productName}`} onClick={() => desk.undo(row)} />
          )}
          <TapButton
            icon="scan"
            label={`Scan ${productName}: one more`}
            onClick={() => apply({ type: 'add', units: 1, reason: 'barcode_scan' })}
          />
          {onPhoto && <TapButton icon="camera" label={`Photo of ${productName}`} onClick={onPhoto} />}
          <TapButton
            icon="bolt"
            label={`Restock ${productName} to ${restockTo}`}
            onClick={() => apply({ type: 'count', quantity: restockTo, reason: 'quick_restock' })}
          />
        </div>
      </div>
    </li>
  );
});
