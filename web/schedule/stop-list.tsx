import { lazy, Suspense, useState } from 'react';
import type { ScheduledRoute, Stop } from '../../contract/routes.ts';
import { serviceText } from '../../domain/service-time.ts';
import { sentenceOf } from '../http/client.ts';
import { formatTime } from '../http/format.ts';
import { WhyLine } from '../need/why-line.tsx';
import { Badge, Flag } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { StateView } from '../ui/state-view.tsx';
import { toast } from '../ui/toast.ts';
import { useCompleteStop } from './api.ts';
import { stopRef } from './stop-ref.ts';

const CompleteRoute = lazy(async () => ({ default: (await import('./complete-route.tsx')).CompleteRoute }));

type Props = { route: ScheduledRoute | null; selected: number | null; onSelect: (id: number) => void };

export function StopList({ route, selected, onSelect }: Props) {
  const [finishing, setFinishing] = useState(false);
  if (!route) {
    return (
      <Card title="Stops">
        <StateView icon="route" title="Select a route to view stops" />
      </Card>
    );
  }
  const next = route.stops.find((stop) => !stop.completed && !stop.skippedReason);
  return (
    <Card
      title={`Stops of ${route.name}`}
      count={route.stops.length}
      actions={
        route.status === 'in_progress' && (
          <Button className="max-lg:h-12" onClick={() => setFinishing(true)}>
            Complete Route
          </Button>
        )
      }
    >
      <ol>
        {route.stops.map((stop) => (
          <StopRow
            key={stop.id}
            stop={stop}
            route={route}
            isNext={route.status === 'in_progress' && stop.id === next?.id}
            selected={stop.id === selected}
            onSelect={() => onSelect(stop.id)}
          />
        ))}
      </ol>
      {finishing && (
        <Suspense>
          <CompleteRoute route={route} onClose={() => setFinishing(false)} />
        </Suspense>
      )}
    </Card>
  );
}

type RowProps = { stop: Stop; route: ScheduledRoute; isNext: boolean; selected: boolean; onSelect: () => void };

function StopRow({ stop, route, isNext, selected, onSelect }: RowProps) {
  const canComplete = route.status === 'in_progress' && !stop.completed;
  return (
    <li className={`border-line border-b last:border-b-0 ${selected ? 'bg-accent-soft' : ''}`}>
      <button
        type="button"
        aria-pressed={selected}
        onClick={onSelect}
        className="grid w-full grid-cols-[32px_minmax(0,1fr)] gap-3 p-4 text-left -outline-offset-2 hover:bg-hover"
      >
        <span
          className={`grid size-8 place-items-center rounded-full font-semibold ${stop.completed ? 'bg-ok text-on-state' : 'bg-series-1 text-on-state'}`}
        >
          {stop.completed ? <Icon name="check" /> : stop.stopOrder}
        </span>
        <span className="grid gap-1">
          <span className="flex items-start gap-2">
            <span className="min-w-0 flex-1 font-medium text-16">{stop.locationName}</span>
            {stop.routeDesignation && <Badge tone="outline">Route {stop.routeDesignation}</Badge>}
          </span>
          <span className="text-text-2">{stop.address}</span>
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <Arrival stop={stop} />
            {!stop.completed && stop.serviceMin > 0 && (
              <span className="text-12 text-text-3">{serviceText({ serviceVisits: 0, ...stop })}</span>
            )}
            {isNext && <Flag tone="run">Next</Flag>}
            {stop.emptyCount > 0 && <Flag tone="bad">{stop.emptyCount} Empty</Flag>}
            {stop.lowCount > 0 && <Flag tone="warn">{stop.lowCount} Low</Flag>}
          </span>
          {!stop.completed && <WhyLine place={stopRef(stop)} visit={route.date} />}
          {stop.skippedReason && <span className="text-12 text-text-3">Left out: {stop.skippedReason}</span>}
        </span>
      </button>
      {canComplete && (
        <div className="px-4 pb-4">
          <MarkComplete stop={stop} primary={isNext} />
        </div>
      )}
    </li>
  );
}

function Arrival({ stop }: { stop: Stop }) {
  const planned = stop.estimatedArrival ? `ETA ${formatTime(stop.estimatedArrival)}` : 'No ETA';
  if (!stop.completed) return <span className="font-semibold">{planned}</span>;
  return (
    <span>
      <span className="font-semibold">{stop.actualArrival ? `Done ${formatTime(stop.actualArrival)}` : 'Done'}</span>
      <span className="ml-2 text-12 text-text-3">{planned}</span>
    </span>
  );
}

function MarkComplete({ stop, primary }: { stop: Stop; primary: boolean }) {
  const complete = useCompleteStop();
  // Awaited, because this button is gone as soon as the stop is done.
  const run = async (): Promise<void> => {
    try {
      const where = await complete.mutateAsync(stop);
      const kept = `${stop.locationName}. Saved on this phone; it is sent when there is a connection.`;
      toast({ title: 'Stop Completed', description: where === 'saved' ? stop.locationName : kept });
    } catch (error) {
      toast({ title: 'Stop not completed', description: sentenceOf(error), variant: 'destructive' });
    }
  };
  return (
    <Button
      size="field"
      variant={primary ? 'primary' : 'secondary'}
      icon="check"
      className="w-full"
      pending={complete.isPending}
      onClick={() => void run()}
    >
      Mark Complete
    </Button>
  );
}
