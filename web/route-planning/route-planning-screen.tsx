import { useDeferredValue, useMemo, useState } from 'react';
import type { LocationRef } from '../../domain/location.ts';
import { locationKey } from '../../domain/place.ts';
import { addDays } from '../../domain/time.ts';
import { useMay, useSession } from '../auth/api.ts';
import { IncidentsPanel } from '../incidents/incidents-panel.tsx';
import { RestBanner } from '../incidents/rest-banner.tsx';
import { useMapPlaces } from '../locations/find/use-map-places.ts';
import { boundsOf, type MapBox, mapZoom } from '../map/map-data.ts';
import { useOwnPosition } from '../map/own-position.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { latePart } from '../ui/address/late-code.tsx';
import { buttonClass } from '../ui/button.tsx';
import { FailedLine } from '../ui/state-view.tsx';
import { useToday } from '../ui/use-today.ts';
import { useDesignations, useRouteChoices } from './api.ts';
import { PlannerDialogs } from './dialogs/planner-dialogs.tsx';
import { MapChoice } from './map-choice.tsx';
import { type Candidate, type Filter, toCandidate, wishOf } from './places/locations.ts';
import { type ListState, SelectCard } from './places/select-card.tsx';
import { useListView } from './places/use-list-view.ts';
import { useLocations } from './places/use-locations.ts';
import { useSelection } from './places/use-selection.ts';
import { knownBefore } from './plan/known-before.ts';
import { meansOf, misfitsAfter, misfitsBefore } from './plan/misfits.ts';
import { keptBy } from './plan/plan.ts';
import { PlanTermsBar } from './plan/plan-terms.tsx';
import { UnassignedStops } from './plan/unassigned-stops.tsx';
import { usePlan } from './plan/use-plan.ts';
import { usePlanActions } from './plan/use-plan-actions.ts';
import { usePlanState } from './plan/use-plan-state.ts';
import { useTerms } from './plan/use-terms.ts';
import { QuickActions } from './quick-actions.tsx';
import { RouteMapCard } from './route-map-card.tsx';
import { RouteSummary } from './route-summary.tsx';
import { useMapContent } from './use-map-content.ts';

// The last thing on the page: nothing moves when it comes, and most who plan never scroll to it.
const TravelPanel = latePart(async () => (await import('../travel/travel-panel.tsx')).TravelPanel);

const none: readonly never[] = [];

type Look = { center: Candidate | undefined; zoom: number; around: MapBox | undefined };

/** Choose what needs a visit, get a good order, give it to a driver. */
export function RoutePlanningScreen() {
  const { operator, map } = useSession();
  const today = useToday();
  const [view, setView] = useListView();
  const designations = useDesignations().data ?? none;
  const { lists, followed } = useLocations(view);
  const onMap = useMapPlaces(wishOf(followed));
  const selection = useSelection();
  const mayPlan = useMay('route:plan');
  const { data: choices, isLoading: isAwaited, error, refetch } = useRouteChoices(mayPlan);
  const { terms, setTerms, start, depots } = useTerms(addDays(today, 1), choices);
  const { chosen } = selection;
  const planning = usePlan({ chosen, terms, start });
  const { plan } = planning;
  const { remove } = selection;
  const actions = usePlanActions({ planning, chosen, remove, designation: view.route, today });
  const state = usePlanState({ savedRouteId: planning.savedRouteId, optimized: plan !== null });
  // A tick in a long list is shown at once; the map follows when the browser has time.
  const mapped = useDeferredValue(chosen);
  const warnings = useMemo(() => {
    const means = meansOf(choices, terms, depots);
    if (plan) return [...plan.warnings, ...misfitsAfter(keptBy(plan, mapped), means)];
    return [...knownBefore(mapped, terms.date), ...misfitsBefore(mapped, means)];
  }, [plan, mapped, terms, choices, depots]);
  // Where the map stays while the others are shown beside what is chosen; null: they are not.
  const [held, setHeld] = useState<Look | null>(null);
  const withOthers = held !== null && mapped.length > 0 && plan === null;
  const content = useMapContent({ onMap, chosen: mapped, withOthers, plan, designations });
  const own = useOwnPosition();

  const failed = error && !choices && (
    <FailedLine error={error} retry={() => void refetch()} title="Drivers, vehicles and depots did not load" />
  );
  const look = withOthers && held ? held : lookAt(mapped, plan !== null);

  function changeView(change: Partial<typeof view>): void {
    if (change.route !== undefined && change.route !== view.route) selection.clear();
    setView(change);
  }

  function selectOnMap(ref: LocationRef): void {
    const place = onMap.places.find(({ type, id }) => type === ref.type && id === ref.id);
    if (place && !selection.keys.has(locationKey(ref))) selection.choose([toCandidate(place)]);
  }

  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="mr-auto font-semibold text-20">Route Planning</h1>
        {mayPlan && (
          <AppLink href="/route-planning/day" className={`${buttonClass()} self-end max-lg:h-12`}>
            Plan the Day
          </AppLink>
        )}
        <PlanTermsBar terms={terms} choices={choices} isLoading={isAwaited} onChange={setTerms} />
      </header>
      {failed}
      <RestBanner />
      <UnassignedStops stops={plan?.unassigned ?? []} onRemove={(key) => selection.remove([key])} />
      <div className="grid items-start gap-4 lg:grid-cols-[20.5rem_minmax(0,1fr)] xl:grid-cols-[22.5rem_minmax(0,1fr)_17rem]">
        <SelectCard
          view={view}
          onView={changeView}
          designations={designations}
          lists={lists}
          selection={selection}
          optimizing={planning.optimizing}
          warnings={warnings.length}
          onOptimize={actions.optimize}
        />
        <RouteMapCard
          {...content}
          isLoading={onMap.isLoading}
          failure={onMap.failure}
          onRetry={onMap.retry}
          depots={depots}
          own={own}
          center={look.center}
          zoom={look.zoom}
          around={look.around}
          fitKey={plan ? 'plan' : `loaded ${onMap.answers}`}
          styleUrl={map.styleUrl}
          noMarkets={isWithoutMarkets(lists.markets, followed)}
          optimizing={planning.optimizing}
          onSelect={selectOnMap}
          onOptimize={actions.optimize}
          onView={onMap.onView}
          buttons={
            plan === null && (
              <MapChoice
                selection={selection}
                wish={wishOf(view)}
                view={onMap.failure === null ? onMap.view : null}
                withOthers={withOthers}
                onOthers={(shown) => setHeld(shown ? look : null)}
              />
            )
          }
        />
        <div className="grid gap-4 lg:col-span-2 lg:grid-cols-2 xl:col-span-1 xl:grid-cols-1">
          {chosen.length > 0 && <RouteSummary {...{ chosen, plan, warnings, state }} unit={operator.distanceUnit} />}
          <QuickActions
            onCreate={mayPlan ? actions.create : null}
            onStartToday={actions.startToday}
            starting={actions.starting}
            onNavigate={actions.navigate}
            onHistory={actions.history}
          />
        </div>
      </div>
      <IncidentsPanel />
      {mayPlan && <TravelPanel />}
      <PlannerDialogs {...{ actions, chosen, plan, terms, choices, failed, today }} />
    </div>
  );
}

/** Markets there are none of: not merely none that match a search. */
function isWithoutMarkets(markets: ListState, { asked, lowOnly }: Filter): boolean {
  return !markets.loading && markets.failure === null && markets.total === 0 && asked === '' && !lowOnly;
}

/** What was chosen is looked at, all of it; a plan, or nothing chosen, is fitted whole. */
function lookAt(chosen: readonly Candidate[], isPlanned: boolean): Look {
  const zoom = chosen.length > 1 ? mapZoom.several : mapZoom.one;
  return { center: isPlanned ? undefined : firstOf(chosen), zoom, around: boundsOf(chosen) ?? undefined };
}

/** Where the map looks: the first market chosen, else the first machine. */
function firstOf(chosen: readonly Candidate[]): Candidate | undefined {
  return chosen.find((place) => place.type === 'market') ?? chosen[0];
}
