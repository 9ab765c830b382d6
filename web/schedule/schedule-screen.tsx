import { useMemo, useRef } from 'react';
import type { ScheduledRoute } from '../../contract/routes.ts';
import { useSession } from '../auth/api.ts';
import { useSendWaiting } from '../field-inventory/barcodes/use-send-waiting.ts';
import { KeptIncidentNames } from '../incidents/delay-note.tsx';
import { useOfflineStatus } from '../offline/use-offline.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { dayOf } from '../ui/address/day-of.ts';
import { latePart } from '../ui/address/late-code.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { DayPicker } from '../ui/forms/day-picker.tsx';
import { Icon } from '../ui/icon.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useMedia } from '../ui/use-media.ts';
import { useToday } from '../ui/use-today.ts';
import { useDayEnds, useRoutesOfDay } from './api.ts';
import { DayTiles } from './day-tiles.tsx';
import { RefusedSteps } from './refused-steps.tsx';
import { manyRoutes } from './route/find-routes.ts';
import { RouteList } from './route/route-list.tsx';
import { stepStates, stepsAt } from './step-states.ts';
import { StopColumn, StopPage } from './stop/stop-detail.tsx';
import { StopList } from './stop/stop-list.tsx';
import { useKeptStreets } from './use-kept-streets.ts';
import { useRefusals } from './use-refusals.ts';

/** Beside a list of many routes: in sight wherever the list is scrolled to, and scrolled by itself where it is longer than the window. */
const heldInSight =
  'lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto print:static print:max-h-none print:overflow-visible';

const DayEndView = latePart(async () => (await import('./day-end/day-end-view.tsx')).DayEndView);

/** A driver at five in the morning: which stops, in which order, what is missing there. A manager: how the day goes. */
export function ScheduleScreen() {
  const address = useAddress();
  const now = useToday();
  const day = dayOf(address.get('date')) ?? now;
  const schedule = useRoutesOfDay(day);
  useRefusals(schedule.isCopyRead ? schedule.steps : undefined);
  if (address.get('end') !== null) {
    return (
      <DayEndView
        key={day}
        day={day}
        routes={schedule.routes}
        steps={schedule.steps}
        picks={schedule.picks}
        onBack={() => address.set({ end: null })}
      />
    );
  }
  return (
    <KeptIncidentNames value={schedule.incidentNames}>
      <Day day={day} schedule={schedule} address={address} />
    </KeptIncidentNames>
  );
}

type Address = ReturnType<typeof useAddress>;
type DayProps = { day: string; schedule: ReturnType<typeof useRoutesOfDay>; address: Address };

function Day({ day, schedule, address }: DayProps) {
  const { routes, steps, picks } = schedule;
  const { person } = useSession();
  const isWide = useMedia('(min-width: 64rem)');
  const glides = !useMedia('(prefers-reduced-motion: reduce)');
  const { sending } = useOfflineStatus();
  const states = useMemo(() => stepStates(steps, sending), [steps, sending]);
  const dayEnds = useDayEnds(day).data ?? [];
  useKeptStreets(routes, person.role === 'field_worker');
  useSendWaiting(person.id);
  const chosen = useChosen(routes, address);
  const stops = useRef<HTMLDivElement>(null);
  const { route, stop } = chosen;
  const held = (routes?.length ?? 0) > manyRoutes ? heldInSight : '';
  const selected = route && stop && { route, stop, pick: picks[stop.id], state: states.ofStop.get(stop.id) ?? 'none' };
  const choose = (stopId: number | null): void => {
    address.set({ route: route ? String(route.id) : null, stop: stopId === null ? null : String(stopId) });
    if (!isWide) window.scrollTo(0, 0);
  };
  const show = (routeId: number): void => {
    address.set({ route: String(routeId), stop: null });
    // Columns stand below each other on a phone: show the one that just filled.
    if (isWide) return;
    requestAnimationFrame(() =>
      stops.current?.scrollIntoView({ block: 'start', behavior: glides ? 'smooth' : 'auto' }),
    );
  };
  const canEnd = person.role === 'field_worker' && Boolean(routes?.length);
  if (selected && !isWide) {
    return (
      <div className="p-4">
        <StopPage {...selected} steps={stepsAt(steps, selected.stop)} onBack={() => choose(null)} onNext={choose} />
      </div>
    );
  }
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1>Daily Schedule</h1>
        {/* On a phone the link stands beside the name of the screen: the stops begin a row higher. */}
        <span className="flex flex-wrap items-center gap-2 max-lg:contents">
          <AppLink href={`/picking?date=${day}`} className={`${buttonClass()} max-lg:min-h-12`}>
            <Icon name="box" />
            Pick Lists
          </AppLink>
          <DayPicker
            day={day}
            onChange={(next) => address.set({ date: next, route: null, stop: null })}
            className="max-sm:w-full"
          />
        </span>
      </div>
      <RefusedSteps steps={steps} />
      <DayTiles routes={routes} failed={Boolean(schedule.failed)} />
      {schedule.failed ? (
        <FailedView error={schedule.failed} retry={schedule.retry} title="The schedule did not load" />
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_minmax(0,5fr)]">
          <RouteList
            key={day}
            day={day}
            routes={routes}
            fromPhone={schedule.fromPhone}
            keptAt={schedule.keptAt}
            selected={route?.id ?? null}
            states={states}
            picks={picks}
            dayEnds={dayEnds}
            onSelect={show}
            onStarted={(id) => {
              // A stop that was opened while the start was being written stays open.
              if (address.getNow('route') !== String(id) || address.getNow('stop') === null) show(id);
            }}
            onStop={isWide ? null : choose}
          />
          <div ref={stops} className={`scroll-mt-4 ${held}`}>
            <StopList
              route={route}
              selected={stop?.id ?? null}
              states={states}
              picks={picks}
              asksForStop={!isWide}
              onSelect={(id) => choose(id)}
            />
          </div>
          {isWide && (
            <div className={held}>
              <StopColumn selected={selected || null} />
            </div>
          )}
        </div>
      )}
      {canEnd && (
        <Button size="thumb" icon="check" className="lg:justify-self-start" onClick={() => address.set({ end: '1' })}>
          End of day
        </Button>
      )}
    </div>
  );
}

/** What the address names; a driver finds the route under way open, or the only one that is left of the day. */
function useChosen(routes: readonly ScheduledRoute[] | undefined, address: Address) {
  const { person } = useSession();
  const routeId = address.get('route');
  const stopId = address.get('stop');
  return useMemo(() => {
    const own = person.role === 'field_worker' ? (routes?.filter((route) => route.driverId === person.id) ?? []) : [];
    const underWay = own.filter((route) => route.status === 'in_progress');
    const left = own.filter((route) => route.status !== 'completed');
    const [obvious] = [underWay, left, own].find((some) => some.length === 1) ?? [];
    const route = routes?.find((one) => String(one.id) === routeId) ?? (routeId === null ? obvious : undefined) ?? null;
    const stop = route?.stops.find((one) => String(one.id) === stopId) ?? null;
    return { route, stop };
  }, [routes, routeId, stopId, person]);
}
