import { createContext, useContext } from 'react';
import { useIncidents } from './api.ts';

/** What incidents are called as far as the phone has kept it, for screens that work without signal. */
export const KeptIncidentNames = createContext<Readonly<Record<number, string>>>({});

type Delayed = { incidents?: readonly number[] | undefined; delay?: number | undefined };

type Driven = { status: string; depot: { name: string } | null; wayHome?: Delayed | undefined };

/** Why the depot is reached later, under the stops of a route. Nothing where it is not, or once the route is completed. */
export function HomeDelayNote({ route, className = '' }: { route: Driven; className?: string }) {
  const { status, depot, wayHome } = route;
  if (!depot || status === 'completed' || !wayHome || !isDelayed(wayHome)) return null;
  return (
    <p className={`border-line border-t px-4 py-3 ${className}`}>
      <span className="block">Way back to {depot.name}:</span> <DelayNote stop={wayHome} className="block" />
    </p>
  );
}

const minutesOf = ({ delay = 0 }: Delayed): number => Math.round(delay / 60);
const isDelayed = (way: Delayed): boolean => Boolean(way.incidents?.length) && minutesOf(way) >= 1;

/** Why a stop is reached later: minutes and the incidents on the way, whose titles may hold commas. Nothing where there is no delay. */
export function DelayNote({ stop, className = '' }: { stop: Delayed; className?: string }) {
  const { data } = useIncidents();
  const kept = useContext(KeptIncidentNames);
  if (!isDelayed(stop)) return null;
  const titles = stop.incidents?.map((id) => data?.find((one) => one.id === id)?.title ?? kept[id] ?? 'an incident');
  return (
    <span className={`text-12 text-warn-text ${className}`}>
      +{minutesOf(stop)} min, {titles?.join(' · ')}
    </span>
  );
}
