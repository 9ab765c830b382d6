import { useState } from 'react';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { useMay, useSession } from '../../auth/api.ts';
import { mapMinHeightPx } from '../../map/map-data.ts';
import { useDesignations } from '../../markets/api.ts';
import { AppLink } from '../../ui/address/app-link.tsx';
import { latePart } from '../../ui/address/late-code.tsx';
import { useAddress } from '../../ui/address/use-address.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { Segmented } from '../../ui/forms/segmented.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { FailedView, StateView } from '../../ui/state-view.tsx';
import { SearchBox } from '../../ui/tables/search-box.tsx';
import { ShowMore } from '../../ui/tables/show-more.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useNow } from '../../ui/use-now.ts';
import { useToday } from '../../ui/use-today.ts';
import { routesAtOnce, useRouteBeside, useRoutesOfDay } from '../api.ts';
import { OptimizeButton } from '../optimize-button.tsx';
import { RouteList } from './route-list.tsx';
import { namesToChoose } from './route-names.ts';
import { seriesOfRoutes } from './route-series.ts';
import { StopList } from './stop-list.tsx';

const TodayMap = latePart(
  async () => (await import('./today-map.tsx')).TodayMap,
  <div className="h-full bg-map-land" />,
);

/** More routes than this are chosen from a list: side by side they would not fit. */
const mostSegments = 5;

export function TodayRoute() {
  const now = useNow();
  const { map } = useSession();
  const [words, setWords] = useState('');
  const list = useRoutesOfDay(useToday(), useDebounced(words.trim()));
  const designations = useDesignations();
  const { get, set } = useAddress();
  const { routes } = list;
  const chosen = useChosen(Number(get('route')), routes);
  const choose = (id: number | null): void => set({ route: id === null ? null : String(id) });
  const isSearched = words !== '' || list.total > routesAtOnce;
  const shown = chosen ? [chosen] : routes;
  const listed = chosen ?? routes?.find((route) => route.status === 'in_progress') ?? routes?.[0] ?? null;
  const series = seriesOfRoutes(routes ?? [], designations.data ?? []);

  return (
    <Card
      title="Today's Route"
      actions={
        <>
          {isSearched ? (
            <>
              {chosen && <Button onClick={() => choose(null)}>All routes</Button>}
              <SearchBox label="Find a route" placeholder="Route or driver" value={words} onChange={setWords} />
            </>
          ) : (
            routes && routes.length > 1 && <RouteChoice routes={routes} chosen={chosen} onChoose={choose} />
          )}
          <AppLink
            href="/daily-schedule"
            className={`${buttonClass({ variant: 'quiet' })} max-lg:min-h-12 max-sm:hidden`}
          >
            Open schedule
          </AppLink>
          <OptimizeButton routes={shown} />
        </>
      }
    >
      <div style={{ height: mapMinHeightPx }}>
        <TodayMap routes={shown ?? []} series={series} styleUrl={map.styleUrl} />
      </div>
      <p className="flex justify-between gap-2 border-line border-t px-4 py-1 text-12 text-text-3">
        <span>Interactive Map View</span>
        <span>GPS Route Optimization</span>
      </p>
      {list.error && !routes && (
        <FailedView error={list.error} retry={() => void list.refetch()} title="Today's route did not load" />
      )}
      {!list.error && !routes && <SkeletonRows rows={5} className="h-5" />}
      {routes?.length === 0 && (words ? <NothingFound words={words} clear={() => setWords('')} /> : <NoRoute />)}
      {routes && routes.length > 0 && (
        <RouteList routes={routes} series={series} listed={listed} now={now} onChoose={choose} />
      )}
      {routes && (
        <ShowMore
          shown={routes.length}
          total={list.total}
          step={routesAtOnce}
          things="routes, those under way first"
          pending={list.isFetchingNextPage}
          failed={list.isFetchNextPageError}
          onMore={() => void list.fetchNextPage()}
        />
      )}
      {listed && <StopList route={listed} series={series.get(listed.id) ?? 1} now={now} />}
    </Card>
  );
}

/** The route that the address names: also one beyond those that were read. */
function useChosen(id: number, routes: readonly ScheduledRoute[] | undefined): ScheduledRoute | null {
  const among = routes?.find((route) => route.id === id);
  const beside = useRouteBeside(id, id > 0 && routes !== undefined && !among);
  return among ?? beside.data ?? null;
}

function NothingFound({ words, clear }: { words: string; clear: () => void }) {
  return (
    <StateView
      icon="search"
      title="No route found"
      text={`No route of today has '${words}' in its name or its driver's.`}
      action={<ClearFilters onClear={clear} />}
    />
  );
}

type ChoiceProps = {
  routes: readonly ScheduledRoute[];
  chosen: ScheduledRoute | null;
  onChoose: (id: number | null) => void;
};

function RouteChoice({ routes, chosen, onChoose }: ChoiceProps) {
  const names = namesToChoose(routes);
  const options = [
    { value: '', label: 'All' },
    ...routes.map(({ id }) => ({ value: String(id), label: names.get(id) ?? '' })),
  ];
  const shared = {
    label: 'Route',
    options,
    value: chosen ? String(chosen.id) : '',
    onChange: (id: string) => onChoose(id === '' ? null : Number(id)),
  };
  if (routes.length > mostSegments) return <Select {...shared} hideLabel className="max-w-60" />;
  return <Segmented {...shared} />;
}

function NoRoute() {
  const mayPlan = useMay('route:plan');
  return (
    <StateView
      icon="route"
      title="No route"
      text={mayPlan ? 'No route is planned for today.' : 'No route is planned for you today. Ask your route manager.'}
      action={
        mayPlan && (
          <AppLink href="/route-planning" className={`${buttonClass()} max-lg:min-h-12`}>
            Plan a route
          </AppLink>
        )
      }
    />
  );
}
