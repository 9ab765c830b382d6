import type { ScheduledRoute } from '../../../contract/routes.ts';
import { isSettled } from '../../../domain/route-progress.ts';
import { useSignOut } from '../../auth/api.ts';
import { countOf, formatDay } from '../../http/format.ts';
import type { Picks } from '../../offline/day/pick-lists.ts';
import type { Entry } from '../../offline/outbox/records.ts';
import { Flag } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { DayFigures } from './day-figures.tsx';
import { ReturnsForm } from './returns-form.tsx';
import { SentDayView } from './sent-day.tsx';
import { UnsentList } from './unsent-list.tsx';
import { type DayEnd, useDayEnd } from './use-day-end.ts';

type Props = {
  day: string;
  routes: readonly ScheduledRoute[] | undefined;
  steps: readonly Entry[];
  picks: Picks;
  onBack: () => void;
};

const noRoutes: readonly ScheduledRoute[] = [];

/** Back at the warehouse: is everything sent, what came back, how the day went, and its end. */
export function DayEndView({ day, routes, steps, picks, onBack }: Props) {
  const end = useDayEnd(day, { routes: routes ?? noRoutes, steps, picks });
  const signOut = useSignOut();
  return (
    <div className="mx-auto max-w-2xl max-lg:pb-4">
      <header className="flex items-center gap-2 border-line border-b px-2 py-1">
        <Button size="field" variant="quiet" icon="left" aria-label="Back to the schedule" onClick={onBack} />
        <h1 className="flex-1 text-20">End of day</h1>
        <span className="px-2 text-text-2">{formatDay(day)}</span>
      </header>
      {!end && <SkeletonRows rows={5} className="h-12" />}
      {end && (
        <>
          <UnsentList end={end} />
          {end.sent && !end.isCorrecting ? <SentDayView end={end} sent={end.sent} /> : <DayForm end={end} />}
          <div className="grid gap-2 border-line border-t bg-ground p-4">
            {end.underWay.map((route) => (
              <StillOpen key={route.id} route={route} onBack={onBack} />
            ))}
            <Finish end={end} />
            <Button
              size="field"
              icon="signout"
              pending={signOut.isPending}
              pendingLabel="Signing out..."
              onClick={() => signOut.mutate()}
            >
              Sign out
            </Button>
            <p className="text-text-2">
              Signing out loses nothing: what is not sent stays on this device and is still delivered.
              {end.status.drafts > 0 &&
                ' What is not saved stays here until you sign in on this device again and save it.'}
              {end.photosUnsent > 0 && ` ${photosAtSignOut(end.photosUnsent)}`}
            </p>
          </div>
        </>
      )}
    </div>
  );
}

/** What is counted and ticked before it is sent, at first or once more. */
function DayForm({ end }: { end: DayEnd }) {
  return (
    <>
      <DayFigures summary={end.summary} photosUnsent={end.photosUnsent} />
      <Bags all={end.allBags} handed={end.bags} onToggle={end.toggleBag} />
      <ReturnsForm lines={end.returns} unknownStops={end.sent ? 0 : end.unknownStops} onChange={end.setReturn} />
    </>
  );
}

function Finish({ end }: { end: DayEnd }) {
  if (end.sent && !end.isCorrecting) {
    return (
      <Button size="thumb" icon="edit" onClick={end.correct}>
        Correct what was sent
      </Button>
    );
  }
  return (
    <>
      <BagsLeft count={end.allBags.length - end.bags.length} />
      <Button
        size="thumb"
        variant={end.unsent > 0 ? 'secondary' : 'primary'}
        icon="check"
        pending={end.isFinishing}
        onClick={() => void end.finish()}
      >
        {finishLabel(end.unsent, end.sent !== null)}
      </Button>
      {end.sent && (
        <Button size="field" onClick={end.keepSent}>
          Leave it as it was sent
        </Button>
      )}
    </>
  );
}

/** The day can be finished all the same: who goes on tomorrow leaves the route as it is. */
function StillOpen({ route, onBack }: { route: ScheduledRoute; onBack: () => void }) {
  const open = route.stops.filter((stop) => !isSettled(stop)).length;
  return (
    <div className="grid gap-2 rounded border border-warn bg-warn-soft p-3 text-16 text-warn-text">
      <p>
        {route.name} is not completed: {countOf(open, 'stop')} {open === 1 ? 'is' : 'are'} open.
      </p>
      <Button size="field" onClick={onBack}>
        Back to the stops
      </Button>
    </div>
  );
}

function finishLabel(unsent: number, isEnded: boolean): string {
  if (isEnded) return 'Finish the day again';
  return unsent > 0 ? `Finish the day with ${unsent} unsent` : 'Finish the day';
}

/** Changes go without their person; a picture is sent by nobody else. */
function photosAtSignOut(count: number): string {
  return count === 1
    ? 'Your photo waits here until you sign in on this device again.'
    : `Your ${count} photos wait here until you sign in on this device again.`;
}

/** Right above the button: the bags themselves may be out of sight by then. */
function BagsLeft({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="rounded border border-warn bg-warn-soft p-3 text-16 text-warn-text">
      {countOf(count, 'cash bag')} {count === 1 ? 'is' : 'are'} not ticked. The office will read{' '}
      {count === 1 ? 'it' : 'them'} as not handed over.
    </p>
  );
}

type BagsProps = { all: readonly string[]; handed: readonly string[]; onToggle: (bag: string) => void };

function Bags({ all, handed, onToggle }: BagsProps) {
  return (
    <section aria-label="Cash bags" className="grid gap-2 border-line border-b p-4">
      <h2 className="flex justify-between text-16">
        <span>Cash bags handed over</span>
        <span className="tabular-nums">
          {handed.length} of {all.length}
        </span>
      </h2>
      {all.length > 0 && <p className="text-text-2">Tick each bag as you hand it over.</p>}
      {all.map((bag) => (
        <label key={bag} className="flex min-h-12 items-center gap-3 text-16">
          <input
            type="checkbox"
            className="size-6 accent-accent"
            checked={handed.includes(bag)}
            onChange={() => onToggle(bag)}
          />
          <span className="flex-1">{bag}</span>
          {!handed.includes(bag) && <Flag tone="warn">Not handed over</Flag>}
        </label>
      ))}
    </section>
  );
}
