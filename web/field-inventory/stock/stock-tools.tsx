import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/forms/segmented.tsx';
import type { StockFilter } from './stock-filter.ts';

export type StockView = 'front' | 'list';

type StockToolsProps = {
  isMachine: boolean;
  total: number;
  looked: number;
  view: StockView;
  onView: (view: StockView) => void;
  filter: StockFilter;
  onSearch: (search: string) => void;
  onNeedsMe: () => void;
  onFill: () => void;
};

const views = [
  { value: 'front', label: 'Front' },
  { value: 'list', label: 'List' },
] as const;

/** What is done with the whole location: fill it, find in it, and how far the driver is. */
export function StockTools(props: StockToolsProps) {
  const { isMachine, total, looked, view, onView, filter, onSearch, onNeedsMe, onFill } = props;
  const what = isMachine ? 'slots' : 'products';
  return (
    <section aria-label="Tools" className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 pb-3">
      <div className="grid grid-cols-[1fr_auto] gap-2">
        <Button size="thumb" icon="bolt" onClick={onFill}>
          Fill to par
        </Button>
        <Button
          size="thumb"
          aria-pressed={filter.needsMe !== null}
          onClick={onNeedsMe}
          className="aria-pressed:!bg-accent-soft aria-pressed:!text-accent"
        >
          Needs me
        </Button>
      </div>
      <div className="flex items-center gap-2">
        <input
          type="search"
          aria-label={isMachine ? 'Search slots' : 'Search products'}
          placeholder={isMachine ? 'Slot or product' : 'Product'}
          value={filter.search}
          onChange={(event) => onSearch(event.target.value)}
          className="h-12 min-w-0 flex-1 rounded border border-line-strong bg-ground px-3 text-16 text-text placeholder:text-text-3"
        />
        {isMachine && <Segmented label="View" size="field" options={views} value={view} onChange={onView} />}
      </div>
      <div className="flex items-center gap-3 text-14 text-text">
        <progress
          aria-label="Looked at"
          max={total || 1}
          value={looked}
          className="h-2 min-w-0 flex-1 appearance-none overflow-hidden rounded-[2px] bg-idle-soft [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-idle-soft [&::-webkit-progress-value]:bg-accent"
        />
        <span className="tabular-nums">
          {looked} of {total} {what} looked at
        </span>
      </div>
    </section>
  );
}
