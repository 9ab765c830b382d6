import { useState } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { formatMoney } from '../../http/format.ts';
import { withDraft } from '../../offline/day/overlay.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import type { Draft } from '../../offline/outbox/records.ts';
import { StateWord } from '../../offline/state-word.tsx';
import { Button } from '../../ui/button.tsx';
import type { DraftDesk } from '../drafts/draft-desk.ts';
import { QuantityStepper } from '../quantity/quantity-stepper.tsx';
import { TapButton } from '../quantity/tap-button.tsx';
import { SlotService } from './slot-service.tsx';
import { useSwipe } from './slot-swipe.ts';
import { PastDate, StockWord } from './state-word.tsx';
import { isPastDate } from './stock-filter.ts';

type SlotEditorProps = {
  slot: StockRow;
  draft: Draft | undefined;
  desk: DraftDesk;
  location: LocationRef;
  currency: string;
  /** Goes to the next slot that wants filling; null when none is left. */
  onNext: (() => void) | null;
  /** The slot beside it, by a swipe. */
  onNeighbour: (by: 1 | -1) => void;
  onClose: () => void;
};

export function SlotEditor(props: SlotEditorProps) {
  const { slot, draft, desk, location, currency, onNext, onNeighbour, onClose } = props;
  const shown = withDraft(slot.quantity, draft);
  const capacity = slot.capacity ?? 0;
  const name = `${slot.slotNumber} ${slot.productName}`;
  const apply = desk.apply.bind(desk, location, slot);
  const [isServiceOpen, setIsServiceOpen] = useState(
    isPastDate(slot, draft) || draft?.found !== undefined || draft?.taken !== undefined,
  );
  const swipe = useSwipe(onNeighbour);
  return (
    <section
      aria-label={name}
      data-scrolls
      className="grid min-h-0 touch-pan-y gap-2 overflow-y-auto px-4 pt-3 pb-2"
      {...swipe}
    >
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-16 font-semibold text-text">{name}</h3>
          <p className="flex flex-wrap items-center gap-x-3 text-14 text-text-2">
            <StockWord quantity={shown} minimum={slot.minimumQuantity} isSlot />
            {slot.price !== null && <span>{formatMoney(slot.price, currency)}</span>}
            <span>
              Capacity {capacity}, {shown}/{capacity}
            </span>
            {draft && <span>was {draft.shown}</span>}
            {isPastDate(slot, draft) && <PastDate day={slot.pastDate} />}
          </p>
          {slot.planned && (
            <p className="text-14 font-semibold text-accent">
              Take out what is left and fill {slot.planned.productName}, {formatMoney(slot.planned.price, currency)}
            </p>
          )}
          {slot.reason && !draft && <p className="text-14 text-text-2">{slot.reason}</p>}
        </div>
        <div className="flex items-center">
          <StateWord state={draft ? 'draft' : slot.state} />
          {draft && <TapButton icon="undo" label={`Undo the last change of ${name}`} onClick={() => desk.undo(slot)} />}
          <TapButton icon="close" label={`Close ${name}`} onClick={onClose} />
        </div>
      </div>
      <QuantityStepper
        label={name}
        quantity={shown}
        capacity={slot.capacity}
        size="big"
        onSet={(quantity) => apply({ type: 'count', quantity, reason: 'manual_count' })}
      />
      {isServiceOpen && <SlotService row={slot} draft={draft} name={name} onStep={apply} />}
      <div className={`grid gap-2 *:px-1 ${onNext ? 'grid-cols-3' : 'grid-cols-2'}`}>
        <Button size="field" onClick={() => apply({ type: 'count', quantity: 0, reason: 'empty_slot' })}>
          Empty slot
        </Button>
        <Button size="field" onClick={() => apply({ type: 'count', quantity: capacity, reason: 'full_restock' })}>
          Full restock
        </Button>
        {onNext && (
          <Button size="field" data-again="" onClick={onNext}>
            Next low
          </Button>
        )}
      </div>
      <Button
        size="field"
        variant="quiet"
        aria-expanded={isServiceOpen}
        onClick={() => setIsServiceOpen(!isServiceOpen)}
      >
        {isServiceOpen ? 'Hide found, removed and spoiled' : 'Found, removed and spoiled'}
      </Button>
    </section>
  );
}
