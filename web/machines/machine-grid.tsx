import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { VendingMachine } from '../../contract/machines.ts';
import { useNothingOwn } from '../auth/api.ts';
import { countOf } from '../http/format.ts';
import { useDesignations } from '../markets/api.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { Select } from '../ui/forms/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { ShowMore } from '../ui/tables/show-more.tsx';
import { useInSight } from '../ui/tables/use-in-sight.ts';
import { type MachineFilter, machinesAtOnce, useMachinePages } from './api.ts';
import { machinesToExport } from './export.ts';
import { MachineCard, type Opened } from './machine-card.tsx';

const gridClass = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4';

type Props = { onOpen: (opened: Opened) => void; add: ReactNode };

/** Machines as cards: searched, filtered and paged by the server, further ones as one scrolls. */
export function MachineGrid({ onOpen, add }: Props) {
  const [filter, change] = useFilter();
  const list = useMachinePages(filter);
  const machines = useMemo(() => list.data?.pages.flatMap((page) => page.machines) ?? [], [list.data]);
  const { drawn, toCome } = useInSight(machines, keyOf);
  const total = list.data?.pages[0]?.total ?? 0;
  const isFiltered = Boolean(filter.q || filter.status || filter.route);
  return (
    <section aria-label="Machines" className="grid gap-4">
      <Filters filter={filter} onChange={change} total={list.data ? total : null} />
      {list.error && machines.length === 0 && (
        <FailedView error={list.error} retry={() => void list.refetch()} title="Machines did not load" />
      )}
      {list.isPending && <Placeholder />}
      {list.data && machines.length === 0 && (
        <Empty isFiltered={isFiltered} onClear={() => change({ q: '', status: '', route: '' })} add={add} />
      )}
      {machines.length > 0 && (
        <ul aria-label="Vending machines" aria-busy={list.isPlaceholderData} className={gridClass}>
          {drawn.map((machine) => (
            <MachineCard key={machine.id} machine={machine} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {list.hasNextPage && toCome === 0 && (
        <More
          shown={machines.length}
          total={total}
          pending={list.isFetchingNextPage}
          failed={list.isFetchNextPageError}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </section>
  );
}

const keyOf = ({ id }: VendingMachine): number => id;

type FiltersProps = {
  filter: MachineFilter;
  onChange: (change: Partial<MachineFilter>) => void;
  total: number | null;
};

const statuses = [
  { value: '', label: 'Any status' },
  { value: 'active', label: 'Active' },
  { value: 'maintenance', label: 'Maintenance' },
  { value: 'inactive', label: 'Inactive' },
];

const sorts = [
  { value: 'name', label: 'By name' },
  { value: 'stock', label: 'Emptiest first' },
];

function Filters({ filter, onChange, total }: FiltersProps) {
  const { data: designations = [] } = useDesignations();
  const routes = [
    { value: '', label: 'All Routes' },
    ...designations.map((designation) => ({ value: designation, label: `Route ${designation}` })),
  ];
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="w-72 max-sm:w-full">
        <AddressSearch label="Search machines" placeholder="Search machines..." />
      </div>
      <Select
        hideLabel
        label="Status"
        options={statuses}
        value={filter.status}
        onChange={(status) => onChange({ status })}
        className="max-sm:flex-[1_1_40%]"
      />
      <Select
        hideLabel
        label="Route"
        options={routes}
        value={filter.route}
        onChange={(route) => onChange({ route })}
        className="max-sm:flex-[1_1_40%]"
      />
      <Select
        hideLabel
        label="Order"
        options={sorts}
        value={filter.sort}
        onChange={(sort) => onChange({ sort: sort === 'stock' ? 'stock' : 'name' })}
        className="max-sm:flex-[1_1_40%]"
      />
      <span aria-live="polite" className="ml-auto text-12 text-text-3">
        {total !== null && countOf(total, 'machine')}
      </span>
      <ExportButton exported={machinesToExport(filter)} total={total ?? undefined} />
    </search>
  );
}

/** What is asked for, and how to change it. */
function useFilter(): [MachineFilter, (change: Partial<MachineFilter>) => void] {
  const { get, set } = useAddress();
  const filter = {
    q: get('q') ?? '',
    status: get('status') ?? '',
    route: get('route') ?? '',
    sort: get('sort') === 'stock' ? ('stock' as const) : ('name' as const),
  };
  const change = (part: Partial<MachineFilter>): void => {
    const values = Object.entries(part).map(([name, value]) => [name, value === 'name' ? null : value || null]);
    set(Object.fromEntries(values));
  };
  return [filter, change];
}

function Placeholder() {
  return (
    <div role="status" aria-label="Loading" className={gridClass}>
      {Array.from({ length: 5 }, (_, n) => (
        <Skeleton key={`card-${n + 1}`} className="h-63" />
      ))}
    </div>
  );
}

function Empty({ isFiltered, onClear, add }: { isFiltered: boolean; onClear: () => void; add: ReactNode }) {
  const nothingOwn = useNothingOwn();
  if (isFiltered) {
    return (
      <StateView
        icon="search"
        title="No machine matches"
        text="Name, machine ID, location and address are searched."
        action={<ClearFilters onClear={onClear} />}
      />
    );
  }
  return (
    <StateView
      icon="machine"
      title="No Vending Machines"
      text={add ? 'Add the first one, or import a list from your present system.' : nothingOwn}
      action={add}
    />
  );
}

type MoreProps = { shown: number; total: number; pending: boolean; failed: boolean; onMore: () => void };

/** Fetches the next page when it comes into sight; after a failure only by hand. */
function More({ pending, failed, onMore, ...rest }: MoreProps) {
  const place = useRef<HTMLDivElement>(null);
  const more = useEffectEvent(onMore);
  useEffect(() => {
    const element = place.current;
    if (!element || pending || failed || !('IntersectionObserver' in window)) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) more();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [pending, failed]);
  return (
    <div ref={place}>
      <ShowMore {...rest} step={machinesAtOnce} things="machines" pending={pending} failed={failed} onMore={onMore} />
    </div>
  );
}
