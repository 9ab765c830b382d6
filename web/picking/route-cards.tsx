import type { PickRoute } from '../../contract/picking.ts';
import { useMay } from '../auth/api.ts';
import { countOf, formatDay, formatTime } from '../http/format.ts';
import { ButtonLink } from '../ui/address/button-link.tsx';
import { Badge, Flag } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { StepProgress } from '../ui/charts/meter.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useNextRouteDay, usePickRoutes } from './api.ts';
import { lookOf } from './words.ts';

type Props = { day: string; onOpen: (routeId: number) => void; onDay: (day: string) => void };

/** The day's routes in the order they leave. */
export function RouteCards({ day, onOpen, onDay }: Props) {
  const { data, error, refetch } = usePickRoutes(day);
  if (error && !data) {
    return <FailedView error={error} retry={() => void refetch()} title="The routes did not load" />;
  }
  if (!data) return <SkeletonRows rows={5} className="h-24" />;
  if (data.routes.length === 0) {
    return <NoRoutes day={day} onDay={onDay} />;
  }
  return (
    <ul aria-label="Routes to pick" className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4">
      {data.routes.map((route) => (
        <li key={route.routeId}>
          <RouteCard route={route} onOpen={() => onOpen(route.routeId)} />
        </li>
      ))}
    </ul>
  );
}

function NoRoutes({ day, onDay }: Pick<Props, 'day' | 'onDay'>) {
  const next = useNextRouteDay(day);
  const mayPlan = useMay('route:plan');
  return (
    <Card>
      <StateView
        icon="box"
        title={`No routes on ${formatDay(day)}`}
        text="A list is here when a route is planned for this day. Choose another day above."
        action={
          (next || mayPlan) && (
            <span className="flex flex-wrap justify-center gap-2">
              {next && (
                <Button onClick={() => onDay(next)} className="max-lg:min-h-12">
                  Show {formatDay(next)}
                </Button>
              )}
              {mayPlan && <ButtonLink href="/route-planning">Plan a route</ButtonLink>}
            </span>
          )
        }
      />
    </Card>
  );
}

function RouteCard({ route, onOpen }: { route: PickRoute; onOpen: () => void }) {
  const { name, lines, linesDone, unitsShort, stops, stopsAdded, driverName, vehicleName, plannedStartAt } = route;
  const look = lookOf(route);
  const leaving = route.status === 'planned' ? 'leaves' : 'planned';
  const facts = [plannedStartAt && `${leaving} ${formatTime(plannedStartAt)}`, driverName, vehicleName].filter(Boolean);
  return (
    <button
      type="button"
      onClick={onOpen}
      className="grid w-full grid-cols-1 gap-2 rounded border border-line bg-ground p-4 text-left hover:bg-hover"
    >
      <span className="flex items-start justify-between gap-2">
        <span className="min-w-0 font-semibold text-16">{name}</span>
        <Badge tone={look.tone}>{look.label}</Badge>
      </span>
      <span className="text-text-2">{[countOf(stops, 'stop'), ...facts].join(', ')}</span>
      {stopsAdded > 0 && route.status !== 'completed' && (
        <Flag tone="warn">{`${countOf(stopsAdded, 'stop')} added since`}</Flag>
      )}
      {lines > 0 && (
        <>
          <StepProgress done={linesDone} total={lines} label={`${linesDone} of ${countOf(lines, 'line')} picked`} />
          <span className="flex flex-wrap justify-between gap-2 text-12 text-text-3">
            {`${linesDone} of ${countOf(lines, 'line')} picked`}
            {unitsShort > 0 && <Flag tone="warn">{countOf(unitsShort, 'unit')} short</Flag>}
          </span>
        </>
      )}
    </button>
  );
}
