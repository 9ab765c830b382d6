import { useMemo, useRef } from 'react';
import type { ScheduledRoute } from '../../contract/routes.ts';
import { useSession } from '../auth/api.ts';
import { today } from '../http/format.ts';
import { FailedView } from '../ui/state-view.tsx';
import { useAddress } from '../ui/use-address.ts';
import { useRoutesOfDay } from './api.ts';
import { DayPicker } from './day-picker.tsx';
import { DayTiles } from './day-tiles.tsx';
import { RouteList } from './route-list.tsx';
import { StopList } from './stop-list.tsx';
import { StopStock } from './stop-stock.tsx';

/** A driver at five in the morning: which stops, in which order, what is missing there. A manager: how the day goes. */
export function ScheduleScreen() {
  const address = useAddress();
  const day = address.get('date') ?? today();
  const schedule = useRoutesOfDay(day);
  const chosen = useChosen(schedule.routes, address);
  const stops = useRef<HTMLDivElement>(null);
  const stock = useRef<HTMLDivElement>(null);
  const reveal = (place: React.RefObject<HTMLDivElement | null>): void => {
    // Columns stand below each other on a phone: show the one that just filled.
    requestAnimationFrame(() => place.current?.scrollIntoView({ block: 'start', behavior: 'smooth' }));
  };
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1>Daily Schedule</h1>
        <DayPicker day={day} onChange={(next) => address.set({ date: next, route: null, stop: null })} />
      </div>
      <DayTiles routes={schedule.routes} />
      {schedule.failed ? (
        <FailedView error={schedule.failed} retry={schedule.retry} title="The schedule did not load" />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-3">
          <RouteList
            day={day}
            routes={schedule.routes}
            fromPhone={schedule.fromPhone}
            selected={chosen.route?.id ?? null}
            onSelect={(id) => {
              address.set({ route: String(id), stop: null });
              reveal(stops);
            }}
          />
          <div ref={stops} className="scroll-mt-4">
            <StopList
              route={chosen.route}
              selected={chosen.stop?.id ?? null}
              onSelect={(id) => {
                address.set({ route: chosen.route ? String(chosen.route.id) : null, stop: String(id) });
                reveal(stock);
              }}
            />
          </div>
          <div ref={stock} className="scroll-mt-4">
            <StopStock stop={chosen.stop} day={day} />
          </div>
        </div>
      )}
    </div>
  );
}

/** What the address names; a driver finds the route under way open, or the only one of the day. */
function useChosen(routes: readonly ScheduledRoute[] | undefined, address: ReturnType<typeof useAddress>) {
  const { person } = useSession();
  const routeId = address.get('route');
  const stopId = address.get('stop');
  return useMemo(() => {
    const own = person.role === 'field_worker' ? (routes?.filter((route) => route.driverId === person.id) ?? []) : [];
    const underWay = own.filter((route) => route.status === 'in_progress');
    const [only] = underWay.length === 1 ? underWay : own;
    const obvious = underWay.length === 1 || own.length === 1 ? only : undefined;
    const route = routes?.find((one) => String(one.id) === routeId) ?? (routeId === null ? obvious : undefined) ?? null;
    const stop = route?.stops.find((one) => String(one.id) === stopId) ?? null;
    return { route, stop };
  }, [routes, routeId, stopId, person]);
}
