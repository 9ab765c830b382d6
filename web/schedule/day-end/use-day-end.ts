import { useCallback, useMemo, useState } from 'react';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { isSettled } from '../../../domain/route-progress.ts';
import { useSession } from '../../auth/api.ts';
import { endDay } from '../../offline/actions.ts';
import { readDayWork } from '../../offline/day/driver-day.ts';
import { type ItemState, stateOf } from '../../offline/day/overlay.ts';
import type { Picks } from '../../offline/day/pick-lists.ts';
import { keepAnswer, keptAnswer } from '../../offline/kept/answers-kept.ts';
import { listOutbox } from '../../offline/kept/reads.ts';
import { typedPrefix } from '../../offline/kept/replica.ts';
import type { Offline } from '../../offline/offline.ts';
import type { Entry } from '../../offline/outbox/records.ts';
import { useOffline, useOfflineStatus, useStored } from '../../offline/use-offline.ts';
import { toast } from '../../ui/toasts/toast.ts';
import { expectedReturns, keyOf, type ReturnLine, summaryOf, withTyped } from './summary.ts';

/** What a driver typed of a day's returns and which bags were handed over, kept at every key. */
type Typed = { returns: ReturnLine[]; handedBags: string[] };

const nothingTyped: Typed = { returns: [], handedBags: [] };
const typedKey = (userId: number, day: string): string => `${typedPrefix}${userId}:day-end:${day}`;

type OfDay = { routes: readonly ScheduledRoute[]; steps: readonly Entry[]; picks: Picks };

/** The end of the day as this phone knows it; null while that is read. */
export function useDayEnd(day: string, { routes, steps, picks }: OfDay) {
  const offline = useOffline();
  const status = useOfflineStatus();
  const { person } = useSession();
  const own = useMemo(
    () => routes.filter(({ driverId }) => driverId === null || driverId === person.id),
    [routes, person.id],
  );
  const kept = useKept(person.id, day);
  const [onScreen, setOnScreen] = useState<Typed | null>(null);
  const [isFinishing, setFinishing] = useState(false);
  if (!kept) return null;
  const { work, outbox } = kept;
  const typed = onScreen ?? kept.typed;
  const summary = summaryOf(own, work, offline.environment.now() + status.clockAheadMs);
  // What is for stops that still lie ahead is in the truck for them.
  const settled = own.flatMap((route) => route.stops).filter(isSettled);
  const brought = settled.flatMap((stop) => picks[stop.id] ?? []);
  const returns = withTyped(expectedReturns(brought, work.movements), typed.returns);
  const sendable = status.unsent + work.photosUnsent;
  const unsent = sendable + status.drafts;
  const ended = steps.findLast((entry) => entry.type === 'day-ended' && entry.event.date === day);
  // Shown at once, for fingers faster than the phone's store. A phone without room says so by itself.
  const keep = (next: Typed): void => {
    setOnScreen(next);
    keepAnswer(offline, typedKey(person.id, day), next).catch(() => undefined);
  };
  // One by one by hand: a bag that nobody looked at is not one that was handed over.
  const bags = summary.bags.filter((bag) => typed.handedBags.includes(bag));
  return {
    summary,
    /** What a driver may have forgotten to close. */
    underWay: own.filter((route) => route.status === 'in_progress'),
    returns,
    unsent,
    /** Without what is typed and not saved: only a save makes that a change to send. */
    sendable,
    outbox,
    status,
    photosUnsent: work.photosUnsent,
    photosRefused: work.photosRefused,
    bags,
    ended: ended ? { at: ended.savedAt, state: stateOf([ended], status.sending) satisfies ItemState } : null,
    setReturn: (line: ReturnLine) => keep(withReturn(typed, line)),
    toggleBag: (bag: string) => keep(withBagToggled(typed, bag)),
    sendNow: () => offline.sender.kick('person'),
    isFinishing,
    finish: () => {
      setFinishing(true);
      return finish(offline, {
        date: day,
        routeIds: own.map((route) => route.id),
        returns: returns.filter((line) => line.units > 0),
        bagNumbers: bags,
        unitsFilled: summary.unitsFilled,
        unsent,
      }).finally(() => setFinishing(false));
    },
  };
}

function withReturn(typed: Typed, line: ReturnLine): Typed {
  return { ...typed, returns: [...typed.returns.filter((one) => keyOf(one) !== keyOf(line)), line] };
}

function withBagToggled(typed: Typed, bag: string): Typed {
  const others = typed.handedBags.filter((one) => one !== bag);
  return { ...typed, handedBags: others.length < typed.handedBags.length ? others : [...others, bag] };
}

async function finish(offline: Offline, end: Parameters<typeof endDay>[1]): Promise<void> {
  try {
    await endDay(offline, end);
    toast({ title: 'Day finished', description: 'Saved on this device; it is sent by itself.' });
  } catch {
    toast({
      title: 'NOT saved',
      description: 'This device could not keep that. Free some space, then try again.',
      variant: 'destructive',
    });
  }
}

function useKept(userId: number, day: string) {
  return useStored(
    useCallback(
      async (offline: Offline) => {
        const [work, outbox, typed] = await Promise.all([
          readDayWork(offline, day),
          listOutbox(offline),
          keptAnswer(offline, typedKey(userId, day)),
        ]);
        // Written by `keep` above alone, by an older one without the bags.
        return { work, outbox, typed: { ...nothingTyped, ...(typed?.value as Partial<Typed> | undefined) } };
      },
      [userId, day],
    ),
  );
}
