import { type DragEvent, Fragment, type KeyboardEvent } from 'react';
import type { DayPlanRoute, DayPlanStop } from '../../../contract/day-plans.ts';
import { durationText } from '../../../domain/units.ts';
import { countOf, formatTime } from '../../http/format.ts';
import type { Series } from '../../map/map-data.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Target } from '../arrangement.ts';
import { distanceText } from '../wording.ts';
import { DayBar } from './day-bar.tsx';
import { MoveCost } from './move-cost.tsx';
import { StopRow } from './stop-row.tsx';
import type { useMoves } from './use-moves.ts';

type Props = {
  route: DayPlanRoute;
  index: number;
  series: Series;
  moves: ReturnType<typeof useMoves>;
  disabled: boolean;
  onChoose: (stop: DayPlanStop) => void;
};

/** A driver's day: how long, how far, how full, and the stops in their order. */
export function RouteColumn({ route, index, series, moves, disabled, onChoose }: Props) {
  const name = route.driverName ?? `Route ${index + 1}`;
  const isTarget = (at: number): boolean => moves.target?.route === index && moves.target.index === at;
  return (
    <section
      aria-label={name}
      {...moves.zone((event) => ({ route: index, index: placeUnder(event, route.stops.length) }))}
      className="flex min-w-64 max-w-96 flex-1 flex-col rounded border border-line bg-ground max-lg:w-full max-lg:max-w-none"
    >
      <Head route={route} name={name} series={series} cost={moves.target?.route === index ? moves.cost : null} />
      <ol className="min-h-16 flex-1 divide-y divide-line">
        {route.stops.map((stop, at) => (
          <Fragment key={`${stop.type}:${stop.id}`}>
            {isTarget(at) && <DropLine />}
            <li data-stop={at}>
              <StopRow
                stop={stop}
                number={at + 1}
                series={series}
                disabled={disabled}
                draggable={!disabled && !moves.pending}
                carried={moves.isCarried(stop)}
                onLetGo={moves.letGo}
                drag={{
                  onDragStart: (event) => {
                    event.dataTransfer.effectAllowed = 'move';
                    event.dataTransfer.setData('text/plain', stop.name);
                    moves.begin(stop);
                  },
                  onDragEnd: moves.end,
                }}
                onKeyDown={(event) => {
                  if (!event.altKey || !event.key.startsWith('Arrow')) return;
                  // Where the stop cannot go on, Alt and an arrow would leave the page.
                  event.preventDefault();
                  const to = keyTarget(event, { route: index, index: at });
                  if (to && !disabled) moves.moveTo(stop, to);
                }}
                onLock={() => moves.lock(stop, !stop.locked)}
                onMove={() => onChoose(stop)}
              />
            </li>
          </Fragment>
        ))}
        {isTarget(route.stops.length) && <DropLine />}
        {route.stops.length === 0 && (
          <li className="px-3 py-4 text-center text-text-3">No stops. This driver stays free.</li>
        )}
      </ol>
    </section>
  );
}

type HeadProps = { route: DayPlanRoute; name: string; series: Series; cost: string | null };

function Head({ route, name, series, cost }: HeadProps) {
  const { capacityTotes, totes, overShiftMin } = route;
  return (
    <header className="relative grid gap-1 border-line border-b px-3 py-2">
      <div className="flex items-baseline gap-2">
        <h3 className="min-w-0 flex-1 truncate font-semibold text-14 text-text">{name}</h3>
        <span className="text-12 text-text-3">{countOf(route.stops.length, 'stop')}</span>
      </div>
      <p className="text-12 text-text-2 tabular-nums">
        {/* A line each where columns stand side by side: the lists below them begin at one height. */}
        <span className="lg:block">
          {formatTime(route.shiftStartAt)} to {formatTime(route.endAt)}
        </span>
        <span className="lg:hidden">, </span>
        <span className="lg:block">
          {durationText(route.drivingMin)} driving,{' '}
          <span className="whitespace-nowrap">{distanceText(route.totalDistance)}</span>
        </span>
      </p>
      <DayBar route={route} series={series} />
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-text-3 tabular-nums">
        <span className="min-w-0 truncate">{route.vehicleName ?? 'No vehicle'}</span>
        <span>{capacityTotes === null ? countOf(totes, 'tote') : `${totes} of ${countOf(capacityTotes, 'tote')}`}</span>
        {capacityTotes !== null && totes > capacityTotes && <Badge tone="bad">Overloaded</Badge>}
        {overShiftMin > 0 && <Badge tone="bad">{durationText(overShiftMin)} over the shift</Badge>}
      </p>
      {cost && <MoveCost text={cost} />}
    </header>
  );
}

function DropLine() {
  return <li aria-hidden="true" className="h-0.5 bg-accent" />;
}

/** Before which stop a dragged one would go: above the middle of a row, before it. */
function placeUnder(event: DragEvent, count: number): number {
  const row = event.target instanceof Element ? event.target.closest('[data-stop]') : null;
  if (!row) return count;
  const box = row.getBoundingClientRect();
  return Number(row.getAttribute('data-stop')) + (event.clientY > box.top + box.height / 2 ? 1 : 0);
}

/** Alt and the arrows: up and down on the route, left and right to the neighbouring driver. */
function keyTarget(event: KeyboardEvent, { route, index }: { route: number; index: number }): Target | null {
  switch (event.key) {
    case 'ArrowUp':
      return index > 0 ? { route, index: index - 1 } : null;
    case 'ArrowDown':
      return { route, index: index + 2 };
    case 'ArrowLeft':
      return route > 0 ? { route: route - 1, index } : null;
    case 'ArrowRight':
      return { route: route + 1, index };
    default:
      return null;
  }
}
