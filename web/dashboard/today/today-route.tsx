import { lazy, Suspense } from 'react';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { useMay, useSession } from '../../auth/api.ts';
import { today } from '../../http/format.ts';
import { mapMinHeightPx } from '../../map/map-data.ts';
import { useDesignations } from '../../markets/api.ts';
import { AppLink } from '../../ui/address/app-link.tsx';
import { useAddress } from '../../ui/address/use-address.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Segmented } from '../../ui/forms/segmented.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { FailedView, StateView } from '../../ui/state-view.tsx';
import { useRoutesOfDay } from '../api.ts';
import { OptimizeButton } from '../optimize-button.tsx';
import { useNow } from '../use-now.ts';
import { RouteList } from './route-list.tsx';
import { shortName } from './route-progress.ts';
import { seriesOfRoutes } from './route-series.ts';
import { StopList } from './stop-list.tsx';

const TodayMap = lazy(() => import('./today-map.tsx').then(({ TodayMap }) => ({ default: TodayMap })));

/** More routes than this are chosen from a list: side by side they would not fit. */
const mostSegments = 5;

export function TodayRoute() {
  const now = useNow();
  const { map } = useSession();
  const list = useRoutesOfDay(today(now));
  const designations = useDesignations();
  const { get, set } = useAddress();
  const routes = list.data;
  const chosen = routes?.find((route) => String(route.id) === get('route')) ?? null;
  const choose = (id: number | null): void => set({ route: id === null ? null : String(id) });
  const shown = chosen ? [chosen] : routes;
  const listed = chosen ?? routes?.find((route) => route.status === 'in_progress') ?? routes?.[0] ?? null;
  const series = seriesOfRoutes(routes ?? [], designations.data ?? []);

  return (
    <Card
      title="Today's Route"
      actions={
        <>
          {routes && routes.length > 1 && <RouteChoice routes={routes} chosen={chosen} onChoose={choose} />}
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
        <Suspense fallback={<div className="h-full bg-map-land" />}>
          <TodayMap routes={shown ?? []} series={series} styleUrl={map.styleUrl} />
        </Suspense>
      </div>
      <p className="flex justify-between gap-2 border-line border-t px-4 py-1 text-12 text-text-3">
        <span>Interactive Map View</span>
        <span>GPS Route Optimization</span>
      </p>
      {list.error && !routes && (
        <FailedView error={list.error} retry={() => void list.refetch()} title="Today's route did not load" />
      )}
      {!list.error && !routes && <SkeletonRows rows={3} className="h-10" />}
      {routes?.length === 0 && <NoRoute />}
      {routes && routes.length > 0 && (
        <RouteList routes={routes} series={series} listed={listed} now={now} onChoose={choose} />
      )}
      {listed && <StopList route={listed} series={series.get(listed.id) ?? 1} now={now} />}
    </Card>
  );
}

type ChoiceProps = {
  routes: readonly ScheduledRoute[];
  chosen: ScheduledRoute | null;
  onChoose: (id: number | null) => void;
};

function RouteChoice({ routes, chosen, onChoose }: ChoiceProps) {
  const options = [
    { value: '', label: 'All' },
    ...routes.map((route) => ({ value: String(route.id), label: shortName(route) })),
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
          <AppLink href="/route-planning" className={buttonClass()}>
            Plan a route
          </AppLink>
        )
      }
    />
  );
}
