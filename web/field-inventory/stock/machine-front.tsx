import { memo, useEffect, useMemo, useRef } from 'react';
import { fieldStatus } from '../../../domain/stock-status.ts';
import { withDraft } from '../../offline/day/overlay.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import { type Draft, itemKey } from '../../offline/outbox/records.ts';
import { stateWord } from '../../offline/state-word.tsx';
import { StateShape } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Drafts } from '../drafts/draft-desk.ts';
import { slotWord } from '../wording.ts';
import { traysOf } from './machine-rows.ts';
import { stockTone } from './state-word.tsx';
import { isPastDate } from './stock-filter.ts';

type FrontProps = { slots: StockRow[]; drafts: Drafts; chosenId: number | null; onChoose: (itemId: number) => void };

/** The machine as it stands before the driver: trays of slots, each with its count and how it stands. */
export function MachineFront({ slots, drafts, chosenId, onChoose }: FrontProps) {
  const trays = useMemo(() => traysOf(slots), [slots]);
  return (
    <section aria-label="Machine front" data-slots className="overflow-x-auto px-4 pb-4">
      <div className="grid min-w-full w-max gap-1 rounded border-2 border-line-strong bg-subtle p-2">
        {trays.map((tray) => (
          <div key={tray[0]?.itemId} className="grid auto-cols-[minmax(48px,1fr)] grid-flow-col gap-1">
            {tray.map((slot) => (
              <SlotButton
                key={slot.itemId}
                slot={slot}
                draft={drafts.get(itemKey(slot))}
                isChosen={slot.itemId === chosenId}
                onChoose={onChoose}
              />
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}

const slotLook = {
  out: 'border-bad bg-bad-soft text-bad-text',
  low: 'border-warn bg-warn-soft text-warn-text',
  good: 'border-line bg-ground text-text',
} as const;

type SlotProps = { slot: StockRow; draft: Draft | undefined; isChosen: boolean; onChoose: (itemId: number) => void };

/** Drawn again only when its own slot changes. */
const SlotButton = memo(function SlotButton({ slot, draft, isChosen, onChoose }: SlotProps) {
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The dock with the slot in hand lies over the lower trays.
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isChosen]);
  const shown = withDraft(slot.quantity, draft);
  const status = fieldStatus(shown, slot.minimumQuantity);
  const state = draft ? 'draft' : slot.state;
  const isPast = isPastDate(slot, draft);
  const words = [
    `${slot.slotNumber} ${slot.productName}`,
    `${shown} of ${slot.capacity}`,
    slotWord(status, slot.minimumQuantity).toLowerCase(),
    ...(isPast ? ['past its date'] : []),
    ...(state === 'none' ? [] : [stateWord[state].toLowerCase()]),
  ];
  const ring = isChosen ? 'z-10 outline-3 outline-focus' : '';
  return (
    <button
      ref={element}
      type="button"
      aria-label={words.join(', ')}
      aria-pressed={isChosen}
      data-chosen={isChosen}
      onClick={() => onChoose(slot.itemId)}
      className={`relative grid h-14 scroll-mt-4 scroll-mb-[var(--dock,26rem)] place-content-center rounded-s border text-center ${slotLook[status]} ${ring}`}
    >
      <span className="text-12 font-medium">{slot.slotNumber}</span>
      <span className="text-16 leading-5 font-semibold tabular-nums">{shown}</span>
      {status !== 'good' && (
        <span className="absolute top-1 right-1">
          <StateShape tone={stockTone[status]} size={8} />
        </span>
      )}
      {isPast && (
        <span className="absolute top-0.5 left-0.5 text-bad-text">
          <Icon name="clock" size={12} />
        </span>
      )}
      {draft && <span className="absolute inset-x-0 bottom-0 h-1 rounded-b-[3px] bg-accent" />}
    </button>
  );
});
