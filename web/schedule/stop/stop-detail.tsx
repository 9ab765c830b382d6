import type { PickedStop } from '../../../contract/need.ts';
import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import { beginsAt, comesAt, isSettled } from '../../../domain/route-progress.ts';
import { formatTime } from '../../http/format.ts';
import { toLatLng } from '../../http/parse.ts';
import { DelayNote } from '../../incidents/delay-note.tsx';
import { navigateLink } from '../../map/directions-link.ts';
import { StopNeed } from '../../need/stop-need.tsx';
import type { ItemState } from '../../offline/day/overlay.ts';
import type { Entry } from '../../offline/outbox/records.ts';
import { StateWord } from '../../offline/state-word.tsx';
import { Flag } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DoorNote } from '../../ui/door-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { RefusedSteps } from '../refused-steps.tsx';
import { stopKey } from '../undo.ts';
import { UndoButton } from '../undo-button.tsx';
import { useLateness } from './arrival.tsx';
import { AccessNotes, BringPanel } from './bring-panel.tsx';
import { StopNumber } from './stop-list.tsx';
import { inventoryAddress, stopRef } from './stop-ref.ts';
import { StopStock } from './stop-stock.tsx';
import { useStopFlow } from './use-stop-flow.tsx';

type Props = { stop: Stop; route: ScheduledRoute; pick: PickedStop | undefined; state: ItemState };

/** The column of the selected stop. */
export function StopColumn({ selected }: { selected: Props | null }) {
  if (!selected) {
    return (
      <Card title="Inventory">
        <StateView icon="box" title="Select a stop to view details" />
      </Card>
    );
  }
  return (
    <Card title={selected.stop.locationName} actions={<StateWord state={selected.state} />}>
      <StopActions stop={selected.stop} route={selected.route} className="border-line border-b p-4" />
      <StopFacts {...selected} />
    </Card>
  );
}

type PageProps = Props & {
  /** Those of this stop. */
  steps: readonly Entry[];
  onBack: () => void;
  onNext: (stopId: number) => void;
};

/** A stop alone on the phone's screen, what can be done at the thumb. */
export function StopPage({ stop, route, pick, state, steps, onBack, onNext }: PageProps) {
  const at = route.stops.findIndex((one) => one.id === stop.id) + 1;
  const next =
    route.status === 'in_progress' && isSettled(stop) ? route.stops.find((one) => !isSettled(one)) : undefined;
  return (
    <section aria-label={stop.locationName} className="-mx-4 -mt-4">
      <header className="flex flex-wrap items-center gap-2 border-line border-b px-2 py-1">
        <Button size="field" variant="quiet" icon="left" aria-label="Back to the stops" onClick={onBack} />
        <h2 className="whitespace-nowrap text-20">
          Stop {at} of {route.stops.length}
        </h2>
        {/* On a narrow phone the words take two lines: the head stays as high as it was before there was anything to say. */}
        <span className="flex-1 basis-24 pr-2 text-right empty:hidden [&_*]:whitespace-normal">
          <StateWord state={state} />
        </span>
      </header>
      <div className="px-4 not-empty:pt-4">
        <RefusedSteps steps={steps} />
      </div>
      <div className="flex gap-3 px-4 pt-4">
        <StopNumber stop={stop} />
        <div className="min-w-0">
          <h3 className="font-semibold text-20 text-text">{stop.locationName}</h3>
          <p className="text-text-2">{stop.address}</p>
        </div>
      </div>
      <StopFacts stop={stop} route={route} pick={pick} state={state} />
      <StopActions
        stop={stop}
        route={route}
        className="sticky bottom-16 z-10 border-line border-t bg-ground px-4 py-3"
        onNext={next && (() => onNext(next.id))}
      />
    </section>
  );
}

/** Times, how to get in, why, what to bring and what is there. */
function StopFacts({ stop, route, pick }: Props) {
  return (
    <>
      <Times stop={stop} />
      <AccessNotes place={stopRef(stop)} day={route.date} lastNote={pick?.lastNote ?? null} />
      {stop.isDeleted ? (
        <DeletedPlace isOpen={!isSettled(stop)} />
      ) : (
        <>
          {!isSettled(stop) &&
            (pick ? <BringPanel pick={pick} /> : <StopNeed place={stopRef(stop)} visit={route.date} />)}
          <StopStock stop={stop} />
        </>
      )}
    </>
  );
}

/** The office took the place off while it was on a route: there is nothing to count, and still a stop to settle. */
function DeletedPlace({ isOpen }: { isOpen: boolean }) {
  const next = isOpen ? ' Skip this stop, or mark it complete if you were there.' : '';
  return (
    <StateView
      icon="box"
      title="Place was deleted"
      text={`The office deleted this place. What was counted there before is kept.${next}`}
    />
  );
}

function Times({ stop }: { stop: Stop }) {
  const { estimatedArrival, expectedArrival, actualArrival, serviceMin } = stop;
  const late = useLateness(stop);
  const leaveBy =
    actualArrival && !stop.completed
      ? new Date(beginsAt(stop, Date.parse(actualArrival)) + serviceMin * 60_000).toISOString()
      : null;
  const comes = expectedArrival && stop.skippedReason === null ? [['Expected', expectedArrival]] : [];
  const times = [
    ...(actualArrival ? [['Arrived', actualArrival]] : comes),
    ['Planned', estimatedArrival],
    ...(leaveBy ? [['Leave by', leaveBy]] : []),
  ] as const;
  return (
    <div className="grid gap-2 border-line border-b p-4">
      <dl className="grid grid-cols-3 gap-2">
        {times.map(([label, at]) => (
          <div key={label}>
            <dt className="text-text-2">{label}</dt>
            <dd className="font-semibold text-16">{at ? formatTime(at) : '–'}</dd>
          </div>
        ))}
      </dl>
      {late && (
        <p>
          <Flag tone={late.tone}>{late.word}</Flag>
        </p>
      )}
      {!isSettled(stop) && <DoorNote {...stop} at={comesAt(stop)} />}
      {!isSettled(stop) && <DelayNote stop={stop} />}
      {stop.skippedReason !== null && (
        <p>
          <Flag tone="outline">Skipped: {stop.skippedReason}</Flag>
        </p>
      )}
    </div>
  );
}

type ActionsProps = {
  stop: Stop;
  route: ScheduledRoute;
  className: string;
  /** Goes to the next open stop; absent while this one is open. */
  onNext?: (() => void) | undefined;
};

/** On a phone that lies on its side they stand in one row: above each other they would cover the stop. */
const oneRowWhenLow =
  '[@media(max-height:479px)]:flex [@media(max-height:479px)]:flex-wrap [@media(max-height:479px)]:*:flex-auto';
/** Two beside each other on the narrowest phone, one where even that is too wide; in the largest text of a phone a word is parted rather than cut off. */
const twoIfTheyFit =
  'grid-cols-[repeat(auto-fit,minmax(max(136px,40%),1fr))] max-sm:*:gap-1.5 max-sm:*:px-1.5 lg:*:gap-1.5 lg:*:px-1.5 lg:*:text-14 *:hyphens-auto *:wrap-anywhere';
const wholeRow = 'col-span-full';
/** The last before the one that stands out: without a neighbour it takes the whole row. */
const last = 'odd:col-span-full';

/** Everything a driver can do at the stop; the next thing is the one that stands out, whole and lowest. */
function StopActions({ stop, route, className, onNext }: ActionsProps) {
  const flow = useStopFlow(route, stop);
  const isOpen = route.status === 'in_progress' && !isSettled(stop);
  const isHere = isOpen && stop.actualArrival !== null;
  const isAhead = isOpen && !isHere;
  const point = toLatLng(stop);
  return (
    <div className={`grid gap-2 ${oneRowWhenLow} ${twoIfTheyFit} ${className}`}>
      {point && (
        <a
          href={navigateLink(point, stop.locationName, navigator)}
          target="_blank"
          rel="noreferrer"
          className={buttonClass({ size: 'field' })}
        >
          <Icon name="navigate" size={20} />
          Navigate
        </a>
      )}
      {isOpen && (
        <Button size="field" icon="check" onClick={flow.complete}>
          Mark Complete
        </Button>
      )}
      {route.status === 'in_progress' && stop.skippedReason !== null && (
        <Button size="field" onClick={flow.reopen}>
          Open again
        </Button>
      )}
      <UndoButton place={stopKey(stop.id)} />
      {isOpen && (
        <Button size="field" className={isHere || stop.isDeleted ? last : ''} onClick={flow.skip}>
          Skip
        </Button>
      )}
      {!stop.isDeleted && (
        <a
          href={inventoryAddress(stop)}
          target="_blank"
          rel="noreferrer"
          className={`${buttonClass(isHere ? { size: 'thumb', variant: 'primary' } : { size: 'field' })} ${isHere ? wholeRow : last}`}
        >
          Update Inventory
        </a>
      )}
      {isAhead && (
        <Button size="thumb" variant="primary" icon="pin" className={wholeRow} onClick={flow.arrive}>
          Arrive
        </Button>
      )}
      {onNext && (
        <Button size="thumb" variant="primary" icon="right" className={wholeRow} onClick={onNext}>
          Next stop
        </Button>
      )}
      {flow.dialog}
    </div>
  );
}
