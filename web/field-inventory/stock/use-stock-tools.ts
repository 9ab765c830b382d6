import { useCallback, useMemo, useState } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { countOf } from '../../http/format.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import { toast } from '../../ui/toasts/toast.ts';
import type { DraftDesk, Drafts } from '../drafts/draft-desk.ts';
import { countLooked, everything, filterStock, isFiltered, needsPerson } from './stock-filter.ts';
import type { StockView } from './stock-tools.tsx';

type Opened = { location: LocationRef; rows: StockRow[] | undefined; desk: DraftDesk; drafts: Drafts };

const none: ReadonlySet<number> = new Set();

/** The chosen slot, what is listed and in which view, and the fill of everything at once. */
export function useStockTools({ location, rows, desk, drafts }: Opened) {
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [seen, setSeen] = useState(none);
  const [view, onView] = useState<StockView>('front');
  const [filter, setFilter] = useState(everything);
  const show = useCallback((itemId: number) => {
    setChosenId(itemId);
    setSeen((last) => new Set(last).add(itemId));
  }, []);
  const choose = useCallback((itemId: number) => {
    setChosenId((last) => (last === itemId ? null : itemId));
    setSeen((last) => new Set(last).add(itemId));
  }, []);
  const close = useCallback(() => setChosenId(null), []);
  const onFill = () => {
    const all = rows ?? [];
    const { filled, undo } = desk.fill(location, all);
    setSeen(new Set(all.map((row) => row.itemId)));
    setChosenId(null);
    onView('list');
    const what = location.type === 'market' ? 'product' : 'slot';
    if (filled === 0) toast({ title: 'Everything is at its par already' });
    else toast({ title: `${countOf(filled, what)} filled to par`, action: { label: 'Undo', run: undo } });
  };
  const onNeedsMe = () => {
    const wanting = (rows ?? []).filter((row) => needsPerson(row, drafts)).map((row) => row.itemId);
    setFilter((last) => ({ ...last, needsMe: last.needsMe ? null : new Set(wanting) }));
  };
  const listed = useMemo(() => filterStock(rows ?? [], filter), [rows, filter]);
  return {
    chosenId,
    choose,
    show,
    close,
    view,
    onView,
    // A front with gaps is no front: what is filtered is a list.
    shownView: isFiltered(filter) ? ('list' as const) : view,
    filter,
    onSearch: (search: string) => setFilter((last) => ({ ...last, search })),
    onNeedsMe,
    onFill,
    listed,
    looked: countLooked(rows ?? [], drafts, seen),
  };
}
