import { useDeferredValue, useMemo } from 'react';
import { Tabs } from '../../ui/address/tabs.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { FailedView } from '../../ui/state-view.tsx';
import { SearchBox } from '../../ui/tables/search-box.tsx';
import { LocationList } from './location-list.tsx';
import { type Candidate, matching } from './locations.ts';
import type { Selection } from './use-selection.ts';

export type Tab = 'markets' | 'machines';
export type ListView = { route: string; tab: Tab; text: string; lowOnly: boolean };

export type ListState = {
  rows: readonly Candidate[];
  loading: boolean;
  failure: unknown;
  retry: () => void;
};

type Props = {
  view: ListView;
  onView: (change: Partial<ListView>) => void;
  designations: readonly string[];
  lists: Record<Tab, ListState>;
  selection: Selection;
  optimizing: boolean;
  onOptimize: () => void;
};

const tabNames: Record<Tab, string> = { markets: 'Markets', machines: 'Vending Machines' };

const placeholderRows = 3;
const tabs: readonly Tab[] = ['markets', 'machines'];

/** Choosing what to visit: filter, two lists, and the way to an order. */
export function SelectCard(props: Props) {
  const { view, onView, designations, lists, selection, optimizing, onOptimize } = props;
  const list = lists[view.tab];
  // Typing stays instant with very long lists: the rows follow when the browser has time.
  const text = useDeferredValue(view.text);
  const rows = useMemo(() => matching(list.rows, { text, lowOnly: view.lowOnly }), [list.rows, text, view.lowOnly]);
  return (
    <Card
      title="Select Locations"
      footer={
        <>
          <span className="text-text-2" aria-live="polite">
            {selection.chosen.length} location(s) selected
          </span>
          <Button
            variant="primary"
            className="ml-auto"
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
        <SearchBox
          label="Search locations"
          placeholder="Name, address, route"
          value={view.text}
          onChange={(text) => onView({ text })}
        />
      </div>
      <Tabs
        label="Kind of location"
        value={view.tab}
        onChange={(tab) => onView({ tab })}
        tabs={tabs.map((value) => ({
          value,
          label: tabNames[value],
          ...(isKnown(lists[value]) ? { count: lists[value].rows.length } : {}),
        }))}
      >
        <ListTools view={view} list={list} rows={rows} selection={selection} onView={onView} />
        <ListBody name={tabNames[view.tab]} list={list} rows={rows} selection={selection} />
      </Tabs>
    </Card>
  );
}

function isKnown(list: ListState): boolean {
  return !list.loading && list.failure === null;
}

type ToolsProps = {
  view: ListView;
  list: ListState;
  rows: readonly Candidate[];
  selection: Selection;
  onView: (change: Partial<ListView>) => void;
};

/** Reduce the list to what runs low, and choose everything it shows. */
function ListTools({ view, list, rows, selection, onView }: ToolsProps) {
  const low = useMemo(() => list.rows.filter((row) => (row.lowCount ?? 0) > 0).length, [list.rows]);
  const allChosen = rows.length > 0 && rows.every((row) => selection.keys.has(row.key));
  return (
    <div className="flex items-center gap-2 border-line border-b px-4 py-2">
      <button
        type="button"
        aria-pressed={view.lowOnly}
        onClick={() => onView({ lowOnly: !view.lowOnly })}
        className={`h-6 rounded-full border px-2 font-medium text-12 ${
          view.lowOnly ? 'border-accent bg-accent-soft text-accent' : 'border-line-ctl text-text-2'
        }`}
      >
        Low stock {low}
      </button>
      <Button
        variant="quiet"
        className="ml-auto"
        disabled={rows.length === 0}
        onClick={() =>
          selection.setMany(
            rows.map((row) => row.key),
            !allChosen,
          )
        }
      >
        {allChosen ? `Deselect all ${rows.length}` : `Select all ${rows.length}`}
      </Button>
    </div>
  );
}

type BodyProps = { name: string; list: ListState; rows: readonly Candidate[]; selection: Selection };

function ListBody({ name, list, rows, selection }: BodyProps) {
  if (list.loading) return <SkeletonRows rows={placeholderRows} className="h-[68px]" />;
  if (list.failure !== null) {
    return <FailedView error={list.failure} retry={list.retry} title={`${name} did not load`} />;
  }
  if (rows.length === 0) {
    const text = list.rows.length === 0 ? `No ${name.toLowerCase()} here` : `None of ${list.rows.length} matches`;
    return <p className="p-6 text-center text-text-2">{text}</p>;
  }
  return <LocationList label={name} rows={rows} selected={selection.keys} onToggle={selection.toggle} />;
}
