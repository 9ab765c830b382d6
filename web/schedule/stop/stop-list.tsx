import { useState } from 'react';
import type { PickedStop } from '../../../contract/need.ts';
import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import { isSettled } from '../../../domain/route-progress.ts';
import { countOf } from '../../http/format.ts';
import { DelayNote, HomeDelayNote } from '../../incidents/delay-note.tsx';
import { WhyLine } from '../../need/why-line.tsx';
import type { ItemState } from '../../offline/day/overlay.ts';
import type { Picks } from '../../offline/day/pick-lists.ts';
import { StateWord } from '../../offline/state-word.tsx';
import { lateDialog, latePart } from '../../ui/address/late-code.tsx';
import { Badge, Flag } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import type { StepStates } from '../step-states.ts';
import { stopKey } from '../undo.ts';
import { UndoButton } from '../undo-button.tsx';
import { Arrival } from './arrival.tsx';
import { stopRef } from './stop-ref.ts';
import { useStopFlow } from './use-stop-flow.tsx';

const RouteMap = latePart(
  async () => (await import('../route/route-map.tsx')).RouteMap,
  <Skeleton className="h-80 w-full" />,
);
const CompleteRoute = lateDialog(
  'Complete Route',
  async () => (await import('../route/complete-route.tsx')).CompleteRoute,
);

type Props = {
  route: ScheduledRoute | null;
  selected: number | null;
  states: StepStates;
  picks: Picks;
  /** On a phone, where a stop's details have no column that could ask for one. */
  asksForStop: boolean;
  onSelect: (id: number) => void;
};

export function StopList({ route, selected, states, picks, asksForStop, onSelect }: Props) {
  const [finishing, setFinishing] = useState(false);
  const [isMapOpen, setMapOpen] = useState(false);
  if (!route) {
    return (
      <Card title="Stops" className="print:hidden">
        <StateView icon="route" title="Select a route to view stops" />
      </Card>
    );
  }
  const next = route.stops.find((stop) => !isSettled(stop));
  const mapLabel = isMapOpen ? 'Hide map' : 'Map';
  return (
    <Card
      title={`Stops of ${route.name}`}
      actions={
        <>
          {route.stops.length > 0 && (
            <Button
              className="max-lg:h-12"
              icon="pin"
              title={mapLabel}
              aria-expanded={isMapOpen}
              onClick={() => setMapOpen(!isMapOpen)}
            >
              <span className="lg:sr-only">{mapLabel}</span>
            </Button>
          )}
          {route.status === 'in_progress' && (
            <Button className="max-lg:h-12" onClick={() => setFinishing(true)}>
              Complete Route
            </Button>
          )}
        </>
      }
    >
      {route.stops.length === 0 && <StateView icon="route" title="This route has no stops" />}
      {asksForStop && route.stops.length > 0 && (
        <p className="border-line border-b px-4 py-2 text-text-2 print:hidden">Select a stop to view details</p>
      )}
      {isMapOpen && <RouteMap route={route} onSelect={onSelect} />}
      <ol>
        {route.stops.map((stop) => (
          <StopRow
            key={stop.id}
            stop={stop}
            route={route}
            isNext={route.status === 'in_progress' && stop.id === next?.id}
            selected={stop.id === selected}
            state={states.ofStop.get(stop.id) ?? 'none'}
            pick={picks[stop.id]}
            onSelect={() => onSelect(stop.id)}
          />
        ))}
      </ol>
      <HomeDelayNote route={route} className="pl-15" />
      {finishing && <CompleteRoute route={route} onClose={() => setFinishing(false)} />}
    </Card>
  );
}

type RowProps = {
  stop: Stop;
  route: ScheduledRoute;
  isNext: boolean;
  selected: boolean;
  state: ItemState;
  pick: PickedStop | undefined;
  onSelect: () => void;
};

function StopRow({ stop, route, isNext, selected, state, pick, onSelect }: RowProps) {
  const isOpen = !isSettled(stop);
  return (
    <li className={`border-line border-b last:border-b-0 ${selected ? 'bg-accent-soft' : ''}`}>
      <button
        type="button"
        aria-pressed={selected}
        onClick={onSelect}
        className={`grid w-full grid-cols-[2rem_minmax(0,1fr)] gap-3 p-4 text-left -outline-offset-2 ${selected ? '' : 'hover:bg-hover'}`}
      >
        <StopNumber stop={stop} />
        <span className="grid grid-cols-1 gap-1">
          <span className="flex flex-wrap items-start gap-x-2 gap-y-1">
            <span className="min-w-0 flex-1 basis-44 font-medium text-16">{stop.locationName}</span>
            {stop.routeDesignation && <Badge tone="outline">Route {stop.routeDesignation}</Badge>}
          </span>
          <span className="text-text-2">{stop.address}</span>
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1 [&_*]:whitespace-normal">
            {stop.skippedReason === null ? (
              <Arrival stop={stop} />
            ) : (
              <span className="min-w-0 font-medium text-text-2 wrap-anywhere">Skipped: {stop.skippedReason}</span>
            )}
            {isNext && <Flag tone="run">Next</Flag>}
            {stop.isDeleted && <Flag tone="idle">Place was deleted</Flag>}
            {isOpen && stop.emptyCount > 0 && <Flag tone="bad">{stop.emptyCount} Empty</Flag>}
            {isOpen && stop.lowCount > 0 && <Flag tone="warn">{stop.lowCount} Low</Flag>}
            <StateWord state={state} />
          </span>
          {isOpen && stop.incidents && stop.incidents.length > 0 && <DelayNote stop={stop} />}
          {isOpen && !stop.isDeleted && <Why stop={stop} day={route.date} pick={pick} />}
        </span>
      </button>
      <RowActions stop={stop} route={route} isNext={isNext} />
    </li>
  );
}

/** Why the stop is in the plan: as kept on the phone, else as the server says. */
function Why({ stop, day, pick }: { stop: Stop; day: string; pick: PickedStop | undefined }) {
  if (!pick) return <WhyLine place={stopRef(stop)} visit={day} />;
  return (
    <span className="line-clamp-2 text-12 text-text-2">{pick.why[0] ?? `Bring ${countOf(pick.units, 'unit')}.`}</span>
  );
}

export function StopNumber({ stop }: { stop: Stop }) {
  const { look, inside } = numberOf(stop);
  return (
    <span className={`grid size-8 flex-none place-items-center rounded-full font-semibold text-on-state ${look}`}>
      {inside}
    </span>
  );
}

function numberOf(stop: Stop) {
  if (stop.completed) return { look: 'bg-ok', inside: <Icon name="check" /> };
  if (stop.skippedReason !== null) return { look: 'bg-idle', inside: <Icon name="minus" /> };
  return { look: 'bg-accent', inside: stop.stopOrder };
}

function RowActions({ stop, route, isNext }: { stop: Stop; route: ScheduledRoute; isNext: boolean }) {
  const flow = useStopFlow(route, stop);
  const isUnderWay = route.status === 'in_progress';
  return (
    <div className="flex flex-wrap gap-2 px-4 not-empty:pb-4 max-sm:*:gap-1.5 max-sm:*:px-1.5">
      {isUnderWay && !isSettled(stop) && (
        <Button
          size="field"
          variant={isNext ? 'primary' : 'secondary'}
          icon="check"
          className="flex-auto"
          onClick={flow.complete}
        >
          Mark Complete
        </Button>
      )}
      {isUnderWay && stop.skippedReason !== null && (
        <Button size="field" className="flex-auto" onClick={flow.reopen}>
          Open again
        </Button>
      )}
      <UndoButton place={stopKey(stop.id)} className="flex-auto" />
      {flow.dialog}
    </div>
  );
}
