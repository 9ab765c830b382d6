import { useIncidents } from './api.ts';

type Delayed = { incidents?: readonly number[] | undefined; delay?: number | undefined };

/** Why a stop is reached later: minutes and the incidents on the way. Nothing where there is no delay. */
export function DelayNote({ stop, className = '' }: { stop: Delayed; className?: string }) {
  const { data } = useIncidents();
  const minutes = Math.round((stop.delay ?? 0) / 60);
  if (!stop.incidents?.length || minutes < 1) return null;
  const titles = stop.incidents.map((id) => data?.find((one) => one.id === id)?.title ?? 'an incident');
  return (
    <span className={`text-12 text-warn-text ${className}`}>
      +{minutes} min, {titles.join(', ')}
    </span>
  );
}
