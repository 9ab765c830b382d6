import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import { spanText } from '../../../domain/exception.ts';
import { comesAt, isSettled, minutesLate } from '../../../domain/route-progress.ts';
import { formatTime } from '../../http/format.ts';
import { DelayNote, HomeDelayNote } from '../../incidents/delay-note.tsx';
import { MarkerShape } from '../../map/layers/marker-shape.tsx';
import type { Series } from '../../map/map-data.ts';
import { AppLink } from '../../ui/address/app-link.tsx';
import { Flag } from '../../ui/badge.tsx';
import { DoorNote } from '../../ui/door-note.tsx';
import { addressOf } from '../location-address.ts';
import { shortName, stopState } from './route-progress.ts';

type Props = { route: ScheduledRoute; series: Series; now: Date };

const columns = 'grid grid-cols-[auto_auto_1fr] items-center gap-x-4 px-4 sm:grid-cols-[minmax(0,1fr)_5rem_5rem_7rem]';

/** The route's stops in order: planned, actual, and where things stand. */
export function StopList({ route, series, now }: Props) {
  if (route.stops.length === 0) return null;
  return (
    <section aria-label={`Stops of ${shortName(route)}`} className="border-line border-t">
      <h3 className="px-4 pt-3 pb-1">Stops of {route.routeDesignation ? `route ${shortName(route)}` : route.name}</h3>
      <div aria-hidden="true" className={`${columns} h-8 font-medium text-12 text-text-3 max-sm:hidden`}>
        <span>Stop</span>
        <span>Planned</span>
        <span>Actual</span>
        <span>Status</span>
      </div>
      <ol className="max-h-72 overflow-y-auto max-sm:max-h-96">
        {route.stops.map((stop) => (
          <StopRow key={stop.id} stop={stop} route={route} series={series} now={now} />
        ))}
      </ol>
      <HomeDelayNote route={route} />
    </section>
  );
}

function StopRow({ stop, route, series, now }: Props & { stop: Stop }) {
  const state = stopState(stop, route, now);
  return (
    <li className={`${columns} min-h-10 border-line border-t max-sm:py-2`}>
      <span className="flex min-w-0 items-center gap-2 max-sm:col-span-3">
        <MarkerShape series={series} text={String(stop.stopOrder)} done={stop.completed} />
        <span className="min-w-0 py-1">
          <AppLink
            href={addressOf(refOf(stop))}
            title={stop.locationName}
            className="block truncate hover:text-accent hover:underline max-lg:leading-11"
          >
            {stop.locationName}
          </AppLink>
          <span className="block truncate text-12 text-text-3 max-sm:hidden" title={stop.address}>
            {stop.address}
          </span>
          {!isSettled(stop) && <DoorNote {...stop} at={comesAt(stop)} className="block" />}
          <DelayNote stop={stop} className="block" />
        </span>
      </span>
      <Time label="Planned" at={stop.estimatedArrival} />
      <Actual stop={stop} now={now} isLateSaid={state.tone === 'warn'} />
      <span className="max-sm:text-right" title={stop.skippedReason ?? undefined}>
        <Flag tone={state.tone}>{state.word}</Flag>
      </span>
    </li>
  );
}

function Time({ label, at }: { label: string; at: string | null }) {
  return (
    <span className="whitespace-nowrap">
      <span className="text-12 text-text-3 sm:sr-only">{label} </span>
      {at ? formatTime(at) : '–'}
    </span>
  );
}

type ActualProps = { stop: Stop; now: Date; isLateSaid: boolean };

/** When the driver came, else when the driver is expected as the day goes. A time that has passed is expected no more. */
function Actual({ stop, now, isLateSaid }: ActualProps) {
  if (stop.actualArrival || isSettled(stop)) return <Time label="Actual" at={stop.actualArrival} />;
  if (!stop.expectedArrival || Date.parse(stop.expectedArrival) < now.getTime()) {
    const late = minutesLate(stop, now.getTime()) ?? 0;
    if (late <= 0 || isLateSaid) return <Time label="Actual" at={null} />;
    return <span className="whitespace-nowrap text-text-2">{spanText(late)} late</span>;
  }
  return (
    <span className="whitespace-nowrap text-text-2" title="Expected as the day goes">
      <span className="text-12 text-text-3 sm:sr-only">Expected </span>
      <span aria-hidden="true" className="max-sm:hidden">
        ≈{' '}
      </span>
      {formatTime(stop.expectedArrival)}
    </span>
  );
}

function refOf(stop: Stop) {
  return { type: stop.locationType, id: stop.marketId ?? stop.vendingMachineId ?? 0 };
}
