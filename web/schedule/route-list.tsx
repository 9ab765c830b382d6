import type { ScheduledRoute } from '../../contract/routes.ts';
import { hoursAndMinutes } from '../../domain/units.ts';
import { useSession } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { formatDay, formatMiles, formatTime, today } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { StepProgress } from '../ui/meter.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { StateView } from '../ui/state-view.tsx';
import { RouteStatusBadge } from '../ui/status-badge.tsx';
import { toast } from '../ui/toast.ts';
import { useStartRoute } from './api.ts';

type Props = {
  day: string;
  routes: readonly ScheduledRoute[] | undefined;
  fromPhone: boolean;
  selected: number | null;
  onSelect: (id: number) => void;
};

export function RouteList({ day, routes, fromPhone, selected, onSelect }: Props) {
  const { person } = useSession();
  const nobody = person.role === 'field_worker' && !person.routeDesignation;
  return (
    <Card
      title={day === today() ? "Today's Routes" : `Routes of ${formatDay(day)}`}
      count={routes?.length}
      footer={fromPhone ? 'From this phone; the server is not reached.' : undefined}
    >
      {!routes && <SkeletonRows rows={3} className="h-24" />}
      {routes?.length === 0 && (
        <StateView
          icon="calendar"
          title={`No routes scheduled for ${formatDay(day)}`}
          text={
            nobody
              ? 'You have no route designation and no route is assigned to you. Ask your route manager.'
              : undefined
          }
        />
      )}
      <ul>
        {routes?.map((route) => (
          <RouteCard
            key={route.id}
            route={route}
            selected={route.id === selected}
            onSelect={() => onSelect(route.id)}
          />
        ))}
      </ul>
    </Card>
  );
}

type CardProps = { route: ScheduledRoute; selected: boolean; onSelect: () => void };

function RouteCard({ route, selected, onSelect }: CardProps) {
  const done = route.stops.filter((stop) => stop.completed).length;
  const total = route.stops.length;
  return (
    <li className={`border-line border-b last:border-b-0 ${selected ? 'bg-accent-soft' : ''}`}>
      <button
        type="button"
        aria-pressed={selected}
        onClick={onSelect}
        className="grid w-full gap-2 p-4 text-left -outline-offset-2 hover:bg-hover"
      >
        <span className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate font-semibold text-16">{route.name}</span>
          <RouteStatusBadge status={route.status} />
        </span>
        <span className="flex flex-wrap gap-x-3 text-text-2">
          <span>{total} stops</span>
          <span>{formatMiles(route.totalDistance)}</span>
          <span>{hoursAndMinutes(route.estimatedTime)}</span>
          {route.driverName && <span>{route.driverName}</span>}
        </span>
        <StepProgress
          done={done}
          total={total}
          ended={route.status === 'completed'}
          label={`Stops done on ${route.name}`}
        />
        <span className="flex flex-wrap justify-between gap-x-3 text-12 text-text-3">
          <span>
            {done}/{total}
          </span>
          <Times route={route} />
        </span>
      </button>
      {route.status === 'planned' && (
        <div className="px-4 pb-4">
          <StartRoute route={route} onStarted={onSelect} />
        </div>
      )}
    </li>
  );
}

/** Planned against actual. */
function Times({ route }: { route: ScheduledRoute }) {
  const planned = route.plannedStartAt ? `planned ${formatTime(route.plannedStartAt)}` : '';
  const started = route.startedAt ? `started ${formatTime(route.startedAt)}` : '';
  const completed = route.completedAt ? `completed ${formatTime(route.completedAt)}` : '';
  return <span>{[planned, started, completed].filter(Boolean).join(', ')}</span>;
}

function StartRoute({ route, onStarted }: { route: ScheduledRoute; onStarted: () => void }) {
  const start = useStartRoute();
  // Awaited, because this button is gone as soon as the route is under way.
  const run = async (): Promise<void> => {
    try {
      const where = await start.mutateAsync(route);
      onStarted();
      const kept = `${route.name}. Saved on this phone; it is sent when there is a connection.`;
      toast({ title: 'Route Started', description: where === 'saved' ? route.name : kept });
    } catch (error) {
      toast({ title: 'Route not started', description: sentenceOf(error), variant: 'destructive' });
    }
  };
  return (
    <Button
      variant="primary"
      size="field"
      icon="play"
      className="w-full"
      pending={start.isPending}
      pendingLabel="Starting..."
      onClick={() => void run()}
    >
      Start Route
    </Button>
  );
}
