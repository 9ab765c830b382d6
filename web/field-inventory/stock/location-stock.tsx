import { memo, useMemo, useRef } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { fieldStatus } from '../../../domain/stock-status.ts';
import { withDraft } from '../../offline/day/overlay.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import { itemKey } from '../../offline/outbox/records.ts';
import type { DraftDesk, Drafts } from '../drafts/draft-desk.ts';
import { MachineFront } from './machine-front.tsx';
import { MachineList } from './machine-list.tsx';
import { traysOf } from './machine-rows.ts';
import { MarketRow } from './market-row.tsx';
import { useFirstRows } from './stock-ahead.ts';
import type { StockView } from './stock-tools.tsx';

type StockProps = {
  location: LocationRef;
  rows: StockRow[];
  desk: DraftDesk;
  drafts: Drafts;
  isQuickRestock: boolean;
  onPhoto: (() => void) | null;
  chosenId: number | null;
  onChoose: (itemId: number) => void;
  view: StockView;
  /** What is said when nothing is listed. */
  emptyWords: string;
};

/** Drawn again only when the stock itself changes: showing what was drawn ahead leaves it as it is. */
export const LocationStock = memo(function LocationStock(props: StockProps) {
  const { location, rows, drafts, desk, chosenId, onChoose, view, emptyWords } = props;
  if (rows.length === 0) {
    return <p className="px-4 py-8 text-center text-text-2">{emptyWords}</p>;
  }
  if (location.type === 'market') return <MarketStock {...props} />;
  if (view === 'front') return <MachineFront slots={rows} drafts={drafts} chosenId={chosenId} onChoose={onChoose} />;
  return (
    <MachineList slots={rows} drafts={drafts} desk={desk} location={location} chosenId={chosenId} onChoose={onChoose} />
  );
});

function statusIn(row: StockRow, drafts: Drafts) {
  return fieldStatus(withDraft(row.quantity, drafts.get(itemKey(row))), row.minimumQuantity);
}

const urgency = { out: 0, low: 1, good: 2 } as const;

/** What is empty or low comes first, as it was when the location was opened: rows do not move under the hand. */
function useOpeningOrder(rows: StockRow[]): StockRow[] {
  const ranks = useRef(new Map<string, number>());
  return useMemo(() => {
    for (const row of rows) {
      const key = itemKey(row);
      if (!ranks.current.has(key)) ranks.current.set(key, urgency[fieldStatus(row.quantity, row.minimumQuantity)]);
    }
    const rank = (row: StockRow) => ranks.current.get(itemKey(row)) ?? 0;
    return [...rows].sort((a, b) => rank(a) - rank(b) || a.productName.localeCompare(b.productName));
  }, [rows]);
}

function MarketStock({ location, rows, desk, drafts, isQuickRestock, onPhoto, chosenId }: StockProps) {
  return (
    <ul aria-label="Products" className="border-t border-line">
      {useFirstRows(useOpeningOrder(rows)).map((row) => (
        <MarketRow
          key={row.itemId}
          row={row}
          draft={drafts.get(itemKey(row))}
          desk={desk}
          location={location}
          isQuickRestock={isQuickRestock}
          isChosen={row.itemId === chosenId}
          onPhoto={onPhoto}
        />
      ))}
    </ul>
  );
}

/** The next slot, in the order of the front, that is empty or low and not touched yet. */
export function nextToFill(rows: StockRow[], chosen: StockRow, drafts: Drafts): StockRow | null {
  const slots = traysOf(rows).flat();
  const start = slots.indexOf(chosen) + 1;
  const around = [...slots.slice(start), ...slots.slice(0, start)];
  const wants = (slot: StockRow) => !drafts.has(itemKey(slot)) && statusIn(slot, drafts) !== 'good';
  return around.find((slot) => slot !== chosen && wants(slot)) ?? null;
}

/** The slot beside the chosen one, round the machine. */
export function neighbourOf(rows: StockRow[], chosen: StockRow, by: 1 | -1): StockRow {
  const slots = traysOf(rows).flat();
  return slots.at((slots.indexOf(chosen) + by) % slots.length) ?? chosen;
}
