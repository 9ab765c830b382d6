import type { PickSheet } from '../../contract/picking.ts';
import { countOf, formatTime } from '../http/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { StepProgress } from '../ui/charts/meter.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { usePrepare, useSetState } from './api.ts';
import { linesOf, lookOf } from './words.ts';

/** How far the list is, and the one step that comes next. */
export function SheetState({ sheet }: { sheet: PickSheet }) {
  const { route, finishedAt, finishedBy, checkedAt, checkedBy } = sheet;
  const lines = linesOf(sheet);
  const done = lines.filter(({ picked }) => picked !== null).length;
  const look = lookOf(route);
  // The step after the one taken would undo it: the focus goes to the list's name.
  const onward = useFocusOnward('next');
  return (
    <section
      aria-label="Progress"
      className="top-0 z-10 flex lg:sticky flex-wrap items-center gap-3 rounded border border-line bg-ground px-4 py-3"
    >
      <Badge tone={look.tone}>{look.label}</Badge>
      {route.state !== 'open' && (
        <span className="min-w-40 flex-1">
          <StepProgress done={done} total={lines.length} label={`${done} of ${countOf(lines.length, 'line')} picked`} />
        </span>
      )}
      <span className="text-text-2">
        {route.state === 'open' && `${countOf(lines.length, 'line')} to pick`}
        {route.state === 'picking' && `${done} of ${countOf(lines.length, 'line')}`}
        {finishedAt && `Picked by ${finishedBy ?? 'a removed person'} at ${formatTime(finishedAt)}`}
        {checkedAt && `, checked by ${checkedBy ?? 'a removed person'} at ${formatTime(checkedAt)}`}
      </span>
      <div {...onward} className="contents">
        <Next sheet={sheet} allDone={done === lines.length} />
      </div>
    </section>
  );
}

function Next({ sheet: { route, stops, mayCheck }, allDone }: { sheet: PickSheet; allDone: boolean }) {
  const prepare = usePrepare(route.routeId);
  const move = useSetState(route.routeId);
  const look = 'max-lg:min-h-12';
  if (route.state === 'open') {
    return (
      <Button
        // Of a route that is on its way nobody is waiting for a list any more.
        variant={route.status === 'planned' ? 'primary' : 'secondary'}
        icon="play"
        disabled={stops.length === 0}
        pending={prepare.isPending}
        pendingLabel="Starting..."
        onClick={() => prepare.mutate(undefined)}
        className={`${look} ml-auto`}
      >
        Start picking
      </Button>
    );
  }
  return (
    <span className="ml-auto flex flex-wrap gap-2 print:hidden">
      {route.state === 'picking' && (
        <>
          <Button pending={prepare.isPending} onClick={() => prepare.mutate(undefined)} className={look}>
            Recalculate open stops
          </Button>
          <Button
            variant="primary"
            icon="check"
            disabled={!allDone}
            pending={move.isPending}
            onClick={() => move.mutate('picked')}
            className={look}
          >
            Finish picking
          </Button>
        </>
      )}
      {route.state !== 'picking' && (
        <Button icon="undo" pending={move.isPending} onClick={() => move.mutate('picking')} className={look}>
          Open again
        </Button>
      )}
      {route.state === 'picked' && !mayCheck && (
        <span className="self-center text-text-2">A second person checks a sample.</span>
      )}
      {route.state === 'picked' && mayCheck && (
        <Button
          variant="primary"
          icon="check"
          pending={move.isPending}
          onClick={() => move.mutate('checked')}
          className={look}
        >
          A sample is right
        </Button>
      )}
    </span>
  );
}
