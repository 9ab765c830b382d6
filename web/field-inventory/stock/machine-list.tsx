import { memo, useEffect, useMemo, useRef } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { formatMoney } from '../../http/format.ts';
import { withDraft } from '../../offline/day/overlay.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import { type Draft, itemKey } from '../../offline/outbox/records.ts';
import { StateWord } from '../../offline/state-word.tsx';
import type { DraftDesk, Drafts } from '../drafts/draft-desk.ts';
import { QuantityStepper } from '../quantity/quantity-stepper.tsx';
import { traysOf } from './machine-rows.ts';
import { PastDate, StockWord } from './state-word.tsx';
import { useFirstRows } from './stock-ahead.ts';
import { isPastDate } from './stock-filter.ts';

type MachineListProps = {
  slots: StockRow[];
  drafts: Drafts;
  desk: DraftDesk;
  location: LocationRef;
  chosenId: number | null;
  onChoose: (itemId: number) => void;
};

/** The slots in the order of the front, one below the other: one touch each where a slot differs. */
export function MachineList({ slots, drafts, desk, location, chosenId, onChoose }: MachineListProps) {
  const ordered = useFirstRows(useMemo(() => traysOf(slots).flat(), [slots]));
  return (
    <ul aria-label="Slots" data-slots className="border-t border-line">
      {ordered.map((slot) => (
        <SlotRow
          key={slot.itemId}
          slot={slot}
          draft={drafts.get(itemKey(slot))}
          desk={desk}
          location={location}
          isChosen={slot.itemId === chosenId}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
}

type SlotRowProps = {
  slot: StockRow;
  draft: Draft | undefined;
  desk: DraftDesk;
  location: LocationRef;
  isChosen: boolean;
  onChoose: (itemId: number) => void;
};

const SlotRow = memo(function SlotRow({ slot, draft, desk, location, isChosen, onChoose }: SlotRowProps) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const shown = withDraft(slot.quantity, draft);
  const name = `${slot.slotNumber} ${slot.productName}`;
  const state = draft ? 'draft' : slot.state;
  return (
    <li
      ref={element}
      data-chosen={isChosen}
      className={`flex min-h-18 scroll-mb-[var(--dock,26rem)] items-center gap-3 border-b border-line px-4 py-2 [contain-intrinsic-size:auto_73px] [content-visibility:auto] ${isChosen ? 'bg-accent-soft' : ''} ${draft ? 'shadow-[inset_4px_0_0_var(--accent)]' : ''}`}
    >
      <button
        type="button"
        aria-label={`Open ${name}`}
        aria-pressed={isChosen}
        onClick={() => onChoose(slot.itemId)}
        className="grid min-h-12 min-w-0 flex-1 content-center text-left"
      >
        <span className="line-clamp-2 text-16 leading-5 font-medium text-text">{name}</span>
        <span className="flex flex-wrap items-center gap-x-3 text-14 text-text-2">
          <StockWord quantity={shown} minimum={slot.minimumQuantity} isSlot />
          <span className="tabular-nums">
            {shown}/{slot.capacity}
          </span>
          {slot.price !== null && <span className="tabular-nums">{formatMoney(slot.price)}</span>}
          {isPastDate(slot, draft) && <PastDate day={slot.pastDate} />}
          <StateWord state={state} />
        </span>
      </button>
      <QuantityStepper
        label={name}
        quantity={shown}
        capacity={slot.capacity}
        size="row"
        onSet={(quantity) => desk.apply(location, slot, { type: 'count', quantity, reason: 'manual_count' })}
      />
    </li>
  );
});
