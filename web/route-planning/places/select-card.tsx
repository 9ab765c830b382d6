import { countOf, formatNumber } from '../../http/format.ts';
import type { PlaceWish } from '../../locations/find/places.ts';
import { SectionLink } from '../../ui/address/section-link.tsx';
import { Tabs } from '../../ui/address/tabs.tsx';
import { Flag } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { FailedView } from '../../ui/state-view.tsx';
import { AddressSearch } from '../../ui/tables/address-search.tsx';
import { warningsId } from '../route-summary.tsx';
import { LocationList } from './location-list.tsx';
import type { Candidate } from './locations.ts';
import type { Selection } from './use-selection.ts';

export type Tab = 'markets' | 'machines';
export type ListView = { route: string; tab: Tab; asked: string; lowOnly: boolean };

export type ListState = {
  wish: PlaceWish;
  /** Those loaded so far. */
  rows: readonly Candidate[];
  total: number;
  /** How many of them run low. */
  low: number;
  loading: boolean;
  /** The rows, or the failure, are of this wish and not of the one before. */
  isSettled: boolean;
  failure: unknown;
  retry: () => void;
  more: () => void;
};

type Props = {
  view: ListView;
  onView: (change: Partial<ListView>) => void;
  designations: readonly string[];
  lists: Record<Tab, ListState>;
  selection: Selection;
  optimizing: boolean;
  /** How many stand in the summary: of the plan, or of what is chosen before it is planned. */
  warnings: number;
  onOptimize: () => void;
};

const tabNames: Record<Tab, string> = { markets: 'Markets', machines: 'Vending Machines' };

const placeholderRows = 3;
const tabs: readonly Tab[] = ['markets', 'machines'];

/** Choosing what to visit: filter, two lists, and the way to an order. */
export function SelectCard(props: Props) {
  const { view, onView, designations, lists, selection, optimizing, warnings, onOptimize } = props;
  const list = lists[view.tab];
  return (
    <Card
      title="Select Locations"
      footer={
        <>
          <span className="text-text-2" aria-live="polite">
            {selection.chosen.length} location(s) selected
          </span>
          {selection.chosen.length > 0 && (
            <Button variant="quiet" className="-mx-2 max-lg:min-h-12" onClick={selection.clear}>
              Clear
            </Button>
          )}
          <Button
            variant="primary"
            className="ml-auto max-lg:min-h-12"
            disabled={selection.chosen.length === 0 || optimizing}
            onClick={onOptimize}
          >
            {optimizing ? 'Optimizing...' : 'Optimize Route'}
          </Button>
        </>
      }
    >
      <div className="grid gap-2 p-4 pb-2">
        <Select
          label="Route"
          hideLabel
          value={view.route}
          options={[
            { value: '', label: 'All Routes' },
            ...designations.map((name) => ({ value: name, label: `Route ${name}` })),
          ]}
          onChange={(route) => onView({ route })}
        />
        <AddressSearch label="Search locations" placeholder="Name, address, route" />
      </div>
      <Tabs
        label="Kind of location"
        value={view.tab}
        onChange={(tab) => onView({ tab })}
        tabs={tabs.map((value) => ({
          value,
          label: tabNames[value],
          ...(isKnown(lists[value]) ? { count: lists[value].total } : {}),
        }))}
      >
        <ListTools view={view} list={list} selection={selection} onView={onView} />
        <ListBody name={tabNames[view.tab]} view={view} list={list} selection={selection} />
      </Tabs>
      {warnings > 0 && <WarningsBelow count={warnings} />}
    </Card>
  );
}

/** The way to the warnings on a screen too narrow to have them beside the button: they stand below list and map there. */
function WarningsBelow({ count }: { count: number }) {
  return (
    <p className="border-line border-t px-4 xl:hidden">
      <SectionLink section={warningsId} className="flex min-h-12 items-center underline underline-offset-2">
        <Flag tone="warn">{countOf(count, 'warning')} below</Flag>
      </SectionLink>
    </p>
  );
}

function isKnown(list: ListState): boolean {
  return !list.loading && list.failure === null;
}

type ToolsProps = {
  view: ListView;
  list: ListState;
  selection: Selection;
  onView: (change: Partial<ListView>) => void;
};

/** Reduce the list to what runs low, and choose everything that matches, loaded or not. */
function ListTools({ view, list, selection, onView }: ToolsProps) {
  const { rows, total, wish } = list;
  const allChosen =
    total > 0 && (total === rows.length ? rows.every((row) => selection.keys.has(row.key)) : selection.isWhole(wish));
  // Nothing is known of a list that is on its way or did not load, not even that it is empty.
  const counted = (text: string, count: number): string => (isKnown(list) ? `${text} ${formatNumber(count)}` : text);
  return (
    <div className="flex items-center gap-2 border-line border-b px-4 py-2">
      <button
        type="button"
        aria-pressed={view.lowOnly}
        onClick={() => onView({ lowOnly: !view.lowOnly })}
        className={`h-6 rounded-full border px-2 font-medium text-12 max-lg:h-11 max-lg:px-4 ${
          view.lowOnly ? 'border-accent bg-accent-soft text-accent' : 'border-line-ctl text-text-2'
        }`}
      >
        {counted('Low stock', list.low)}
      </button>
      <Button
        variant="quiet"
        className="ml-auto max-lg:min-h-11"
        disabled={total === 0}
        pending={selection.isReading}
        onClick={() => void (allChosen ? selection.removeAll(wish) : selection.chooseAll(wish))}
      >
        {counted(allChosen ? 'Deselect all' : 'Select all', total)}
      </Button>
    </div>
  );
}

type BodyProps = { name: string; view: ListView; list: ListState; selection: Selection };

function ListBody({ name, view, list, selection }: BodyProps) {
  if (list.loading) return <SkeletonRows rows={placeholderRows} className="h-[4.25rem]" />;
  if (list.failure !== null) {
    return <FailedView error={list.failure} retry={list.retry} title={`${name} did not load`} />;
  }
  if (list.total === 0) {
    const isNarrowed = view.asked !== '' || view.lowOnly;
    return (
      <p className="p-6 text-center text-text-2">
        {isNarrowed ? 'None matches. Change the search, or look under the other tab.' : `No ${name.toLowerCase()} here`}
      </p>
    );
  }
  return (
    <LocationList
      label={name}
      rows={list.rows}
      total={list.total}
      selected={selection.keys}
      onToggle={selection.toggle}
      onMore={list.more}
    />
  );
}
