import type { DayPlanRoute } from '../../../contract/day-plans.ts';
import { durationText } from '../../../domain/units.ts';
import type { Series } from '../../map/map-data.ts';

const fills = ['bg-idle', 'bg-series-1', 'bg-series-2', 'bg-series-3', 'bg-series-4', 'bg-series-5'];

/** How a driver's shift is spent: driving in the colour of the route, then at the stops, then waiting; what is left is free. */
export function DayBar({ route, series }: { route: DayPlanRoute; series: Series }) {
  const { drivingMin, serviceMin, waitMin } = route;
  const shiftMin = (Date.parse(route.shiftEndAt) - Date.parse(route.shiftStartAt)) / 60_000;
  const busyMin = drivingMin + serviceMin + waitMin;
  const wholeMin = Math.max(1, shiftMin, busyMin);
  const freeMin = Math.max(0, wholeMin - busyMin);
  const label = [
    `${durationText(drivingMin)} driving`,
    `${durationText(serviceMin)} at the stops`,
    ...(waitMin > 0 ? [`${durationText(waitMin)} waiting`] : []),
    ...(freeMin > 0 ? [`${durationText(freeMin)} of the shift free`] : []),
  ].join(', ');
  const widthOf = (minutes: number) => ({ width: `${(100 * minutes) / wholeMin}%` });
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className="flex h-1.5 gap-px overflow-hidden rounded-[2px] bg-idle-soft"
    >
      <i className={fills[series] ?? 'bg-accent'} style={widthOf(drivingMin)} />
      <i className="bg-idle" style={widthOf(serviceMin)} />
      {waitMin > 0 && <i className="bg-warn" style={widthOf(waitMin)} />}
    </span>
  );
}
