import type { ScheduledRoute } from '../../../contract/routes.ts';
import { spanText } from '../../../domain/exception.ts';
import { minutesLate } from '../../../domain/route-progress.ts';
import { formatTime } from '../../http/format.ts';
import { MarkerShape } from '../../map/layers/marker-shape.tsx';
import type { Series } from '../../map/map-data.ts';
import { Flag } from '../../ui/badge.tsx';
import { StepProgress } from '../../ui/charts/meter.tsx';
import { doneStops, isOpen, routeState, shortName } from './route-progress.ts';

type Props = {
  routes: readonly ScheduledRoute[];
  series: ReadonlyMap<number, Series>;
  /** The route whose stops stand below. */
  listed: ScheduledRoute | null;
  now: Date;
  onChoose: (id: number) => void;
};

/** Today's routes: how far each one is, what is next, and whether it is on time. A press lists its stops. */
export function RouteList({ routes, series, listed, now, onChoose }: Props) {
  return (
    <ul aria-label="Routes of today">
      {routes.map((route) => (
        <li key={route.id} className="border-line border-t">
          <RouteRow
            route={route}
            series={series.get(route.id) ?? 1}
            isListed={route.id === listed?.id}
            now={now}
            onChoose={() => onChoose(route.id)}
          />
        </li>
      ))}
    </ul>
  );
}

type RowProps = { route: ScheduledRoute; series: Series; isListed: boolean; now: Date; onChoose: () => void };

function RouteRow({ route, series, isListed, now, onChoose }: RowProps) {
  const state = routeState(route, now);
  // Under way the state says every minute behind the plan, before the start only too many of them.
  const isLateSaid = state.tone === 'warn' || route.status === 'in_progress';
  return (
    <button
      type="button"
      aria-pressed={isListed}
      onClick={onChoose}
      className="grid min-h-14 w-full grid-cols-[minmax(4.5rem,auto)_7rem_minmax(0,1fr)_3.5rem_6rem] items-center gap-x-3 gap-y-1 px-4 py-2 text-left -outline-offset-2 hover:bg-hover aria-pressed:bg-subtle max-sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <span className="flex min-w-0 items-center gap-2 sm:max-w-40" title={route.name}>
        <MarkerShape series={series} size={16} />
        <strong className="truncate font-semibold">{shortName(route)}</strong>
        <span className="truncate sm:hidden">{route.driverName}</span>
      </span>
      <span className={`truncate max-sm:hidden ${route.driverName ? '' : 'text-text-3'}`}>
        {route.driverName ?? 'No driver'}
      </span>
      <span className="grid min-w-0 grid-cols-1 gap-1 max-sm:order-3">
        <StepProgress
          done={doneStops(route)}
          total={route.stops.length}
          ended={route.status === 'completed'}
          series={series}
          label={`Stops done on ${shortName(route)}`}
        />
        <span className="text-12 text-text-3">{nextText(route, isLateSaid ? null : now)}</span>
      </span>
      <span className="whitespace-nowrap text-right max-sm:order-4">
        {doneStops(route)} / {route.stops.length}
      </span>
      <span className="max-sm:order-2">
        <Flag tone={state.tone}>{state.word}</Flag>
      </span>
    </button>
  );
}

/** Where the driver is, else what is next and when; a time that has passed says how late it is, unless that stands beside it: `now` is null then. */
function nextText(route: ScheduledRoute, now: Date | null): string {
  const here = route.stops.find((stop) => isOpen(stop) && stop.actualArrival !== null);
  if (here?.actualArrival) return `At ${here.locationName} since ${formatTime(here.actualArrival)}`;
  const next = route.stops.find(isOpen);
  const at = next && (next.expectedArrival ?? next.estimatedArrival);
  const late = next && now && at && Date.parse(at) < now.getTime() ? minutesLate(next, now.getTime()) : null;
  const lateness = late !== null && late > 0 ? ` (${spanText(late)} late)` : '';
  if (next) return `Next ${at ? `${formatTime(at)}${lateness}, ` : ''}${next.locationName}`;
  if (route.completedAt) return `Completed ${formatTime(route.completedAt)}`;
  return route.stops.length === 0 ? 'No stops' : 'Every stop is done';
}
