import { type ReactNode, useState } from 'react';
import type { DayEnd } from '../../../contract/day-ends.ts';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { isSettled } from '../../../domain/route-progress.ts';
import { hoursAndMinutes } from '../../../domain/units.ts';
import { useMay, useSession } from '../../auth/api.ts';
import {
  countOf,
  formatDate,
  formatDateTimeNarrow,
  formatDay,
  formatMiles,
  formatNumber,
  formatTime,
  today,
} from '../../http/format.ts';
import type { ItemState } from '../../offline/day/overlay.ts';
import type { Picks } from '../../offline/day/pick-lists.ts';
import { StateWord } from '../../offline/state-word.tsx';
import { ButtonLink } from '../../ui/address/button-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { StepProgress } from '../../ui/charts/meter.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { Estimated } from '../../ui/estimated.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { RouteStatusBadge } from '../../ui/status-badge.tsx';
import { SearchBox } from '../../ui/tables/search-box.tsx';
import { ShowMore } from '../../ui/tables/show-more.tsx';
import type { StepStates } from '../step-states.ts';
import { routeKey } from '../undo.ts';
import { UndoButton } from '../undo-button.tsx';
import { useSteps } from '../use-steps.ts';
import { findRoutes, manyRoutes, routesShownAtOnce } from './find-routes.ts';

type Props = {
  day: string;
  routes: readonly ScheduledRoute[] | undefined;
  fromPhone: boolean;
  /** When the phone's own copy was read; null where there is none. */
  keptAt: string | null;
  selected: number | null;
  states: StepStates;
  picks: Picks;
  dayEnds: readonly DayEnd[];
  onSelect: (id: number) => void;
  onStarted: (id: number) => void;
  /** Opens a stop of the selected route; null where its stops stand beside it. */
  onStop: ((stopId: number) => void) | null;
};

export function RouteList(props: Props) {
  const { day, routes, selected, states, picks, dayEnds, onSelect, onStarted, onStop } = props;
  const { person } = useSession();
  const nobody = person.role === 'field_worker' && !person.routeDesignation;
  const mayPlan = useMay('route:plan');
  const [words, setWords] = useState('');
  const [limit, setLimit] = useState(routesShownAtOnce);
  const found = routes && findRoutes(routes, words);
  const search = (typed: string): void => {
    setWords(typed);
    setLimit(routesShownAtOnce);
  };
  return (
    <Card
      title={day === today() ? "Today's Routes" : `Routes of ${formatDay(day)}`}
      count={routes?.length}
      footer={whereFrom(props, person.role === 'field_worker')}
    >
      {routes && routes.length > manyRoutes && (
        <div className="border-line border-b px-4 py-2">
          <SearchBox label="Find a route" placeholder="Route or driver" value={words} onChange={search} />
        </div>
      )}
      {!routes && <SkeletonRows rows={5} className="h-24" />}
      {routes?.length === 0 && (
        <StateView
          icon="calendar"
          title={`No routes scheduled for ${formatDay(day)}`}
          text={
            nobody
              ? 'You have no route designation and no route is assigned to you. Ask your route manager.'
              : undefined
          }
          action={mayPlan && <ButtonLink href="/route-planning">Plan a route</ButtonLink>}
        />
      )}
      {found?.length === 0 && words !== '' && (
        <StateView
          icon="search"
          title="No route found"
          text={`No route of this day has '${words}' in its name or its driver's.`}
          action={<ClearFilters onClear={() => search('')} />}
        />
      )}
      <ul>
        {found?.slice(0, limit).map((route) => (
          <RouteCard
            key={route.id}
            route={route}
            selected={route.id === selected}
            state={states.ofRoute.get(route.id) ?? 'none'}
            units={unitsLeft(route, picks)}
            ended={dayEnds.find((end) => end.routeIds.includes(route.id))}
            onSelect={() => onSelect(route.id)}
            onStarted={() => onStarted(route.id)}
            onStop={route.id === selected ? onStop : null}
          />
        ))}
      </ul>
      {found && (
        <ShowMore
          shown={limit}
          total={found.length}
          step={routesShownAtOnce}
          things="routes, those under way first"
          onMore={() => setLimit(limit + routesShownAtOnce)}
        />
      )}
    </Card>
  );
}

function whereFrom({ fromPhone, keptAt }: Pick<Props, 'fromPhone' | 'keptAt'>, isDriver: boolean): ReactNode {
  if (fromPhone) return <span className={twoLines}>From this device; the server is not reached.</span>;
  if (!isDriver || !keptAt) return undefined;
  // In the morning the time of a copy of yesterday alone would be read as one of today.
  const at = formatDate(keptAt) === formatDay(today()) ? formatTime(keptAt) : formatDateTimeNarrow(keptAt);
  return <span className={twoLines}>Also on this device, as of {at}. It needs no signal.</span>;
}

/** The one takes two lines of a phone, the other one: what lies below stays in its place when the network goes. */
const twoLines = 'text-14 text-text-2 max-sm:min-h-10';

const unitsLeft = (route: ScheduledRoute, picks: Picks): number =>
  route.stops.reduce(
    (sum, stop) => (stop.completed || stop.skippedReason ? sum : sum + (picks[stop.id]?.units ?? 0)),
    0,
  );

type CardProps = {
  route: ScheduledRoute;
  selected: boolean;
  state: ItemState;
  /** To bring to the stops still open, as kept on this phone; 0 where it is not kept. */
  units: number;
  ended: DayEnd | undefined;
  onSelect: () => void;
  onStarted: () => void;
  onStop: ((stopId: number) => void) | null;
};

function RouteCard({ route, selected, state, units, ended, onSelect, onStarted, onStop }: CardProps) {
  const done = route.stops.filter((stop) => stop.completed).length;
  const total = route.stops.length;
  return (
    <li className={`border-line border-b last:border-b-0 ${selected ? 'bg-accent-soft' : ''}`}>
      <button
        type="button"
        aria-pressed={selected}
        onClick={onSelect}
        className={`grid w-full grid-cols-1 gap-2 p-4 text-left -outline-offset-2 ${selected ? '' : 'hover:bg-hover'}`}
      >
        <span className="flex items-center gap-2">
          <span title={route.name} className="line-clamp-2 min-w-0 flex-1 break-words font-semibold text-16">
            {route.name}
          </span>
          <RouteStatusBadge status={route.status} />
        </span>
        <span className="flex flex-wrap gap-x-3 text-text-2">
          <span>{countOf(total, 'stop')}</span>
          <span>{formatMiles(route.totalDistance)}</span>
          <span>
            {hoursAndMinutes(route.estimatedTime)} <Estimated source={route.distanceSource} />
          </span>
          {route.driverName && <span>{route.driverName}</span>}
        </span>
        <StepProgress
          done={done}
          total={total}
          ended={route.status === 'completed'}
          label={`Stops done on ${route.name}`}
        />
        <span className="flex flex-wrap justify-between gap-x-3 text-12 text-text-2">
          <span>
            {done}/{total}
          </span>
          <Times route={route} />
        </span>
        {units > 0 && <span className="text-16">{countOf(units, 'unit')} to bring</span>}
        {ended && <Ended end={ended} />}
        <StateWord state={state} />
      </button>
      <div className="grid gap-2 px-4 not-empty:pb-4">
        {route.status === 'planned' && <StartRoute route={route} onStarted={onStarted} />}
        {route.status === 'in_progress' && onStop && <GoOn stops={route.stops} onStop={onStop} />}
        {canUndoStart(route) && <UndoButton place={routeKey(route.id)} />}
      </div>
    </li>
  );
}

/** Once something was done on the route, by whomever, its start stands. */
const canUndoStart = ({ status, stops }: ScheduledRoute): boolean =>
  status === 'in_progress' && stops.every((stop) => !isSettled(stop) && stop.actualArrival === null);

/** Planned against actual. */
function Times({ route }: { route: ScheduledRoute }) {
  const planned = route.plannedStartAt ? `planned ${formatTime(route.plannedStartAt)}` : '';
  const started = route.startedAt ? `started ${formatTime(route.startedAt)}` : '';
  const completed = route.completedAt ? `completed ${formatTime(route.completedAt)}` : '';
  // In a narrow column the line breaks between them, and never between a time and its AM or PM.
  return (
    <span>
      {[planned, started, completed]
        .filter(Boolean)
        .join(', ')
        .replace(/ (?=[AP]M)/g, '\u00a0')}
    </span>
  );
}

/** What the driver said at the end of the day. */
function Ended({ end }: { end: DayEnd }) {
  const back = end.returns.reduce((sum, line) => sum + line.units, 0);
  const facts = [
    `Day finished ${formatTime(end.endedAt)}`,
    `${countOf(end.unitsFilled, 'unit')} filled`,
    `${formatNumber(back)} brought back`,
    countOf(end.bagNumbers.length, 'cash bag'),
  ];
  return <span className="text-text-2">{facts.join(', ')}</span>;
}

/** On a phone the stop that is on now lies below all that were done: it is one touch away, however far the day is. */
function GoOn({ stops, onStop }: { stops: ScheduledRoute['stops']; onStop: (stopId: number) => void }) {
  const at = stops.findIndex((stop) => !isSettled(stop));
  const next = stops[at];
  if (!next) return null;
  return (
    <Button variant="primary" size="thumb" icon="right" className="w-full" onClick={() => onStop(next.id)}>
      Go to stop {at + 1}
    </Button>
  );
}

function StartRoute({ route, onStarted }: { route: ScheduledRoute; onStarted: () => void }) {
  const { startRoute } = useSteps();
  const run = async (): Promise<void> => {
    if (await startRoute(route)) onStarted();
  };
  return (
    <Button variant="primary" size="thumb" icon="play" className="w-full" onClick={() => void run()}>
      Start Route
    </Button>
  );
}
