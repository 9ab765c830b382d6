import { useCallback, useMemo, useState } from 'react';
import type { DayEnd as ToldDayEnd } from '../../../contract/day-ends.ts';
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
import { useDayEnds } from '../api.ts';
import { expectedReturns, keyOf, type ReturnLine, summaryOf, withTyped } from './summary.ts';

/**
 * What a driver typed of a day's returns and which bags were handed over, kept at every key. `over` is the end of the day that it
 * corrects: it is of no more use once another is sent.
 */
type Typed = { over: string | null; returns: ReturnLine[]; handedBags: string[] };

/** The end of the day as the driver said it last. */
export type SentDay = Pick<ToldDayEnd, 'eventId' | 'returns' | 'bagNumbers' | 'unitsFilled'> & {
  at: string;
  state: ItemState;
};

const nothingTyped: Typed = { over: null, returns: [], handedBags: [] };
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
  const sent = useSent(day, steps);
  const [onScreen, setOnScreen] = useState<Typed | null>(null);
  const [corrected, setCorrected] = useState<string | null>(null);
  const [isFinishing, setFinishing] = useState(false);
  if (!kept) return null;
  const { work, outbox } = kept;
  const over = sent?.eventId ?? null;
  const typed = typedOver(over, onScreen ?? kept.typed, sent);
  const summary = summaryOf(own, work, offline.environment.now() + status.clockAheadMs);
  // What is for stops that still lie ahead is in the truck for them.
  const settled = own.flatMap((route) => route.stops).filter(isSettled);
  const brought = settled.flatMap((stop) => picks[stop.id] ?? []);
  const returns = withTyped(sent?.returns ?? expectedReturns(brought, work.movements), typed.returns);
  const sendable = status.unsent + work.photosUnsent;
  const unsent = sendable + status.drafts;
  // Shown at once, for fingers faster than the phone's store. A phone without room says so by itself.
  const keep = (next: Typed): void => {
    setOnScreen(next);
    keepAnswer(offline, typedKey(person.id, day), next).catch(() => undefined);
  };
  const allBags = [...new Set([...summary.bags, ...(sent?.bagNumbers ?? [])])];
  // One by one by hand: a bag that nobody looked at is not one that was handed over.
  const bags = allBags.filter((bag) => typed.handedBags.includes(bag));
  return {
    summary,
    /** What a driver may have forgotten to close. */
    underWay: own.filter((route) => route.status === 'in_progress'),
    returns,
    /** On a phone that has not got the list yet, nothing seems to come back of them. */
    unknownStops: settled.filter((stop) => !picks[stop.id]).length,
    unsent,
    /** Without what is typed and not saved: only a save makes that a change to send. */
    sendable,
    outbox,
    status,
    photosUnsent: work.photosUnsent,
    photosRefused: work.photosRefused,
    allBags,
    bags,
    sent,
    isCorrecting: over !== null && corrected === over,
    correct: () => setCorrected(over),
    /** What was typed over it goes too. */
    keepSent: () => {
      setCorrected(null);
      keep(typedOver(over, null, sent));
    },
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

export type DayEnd = NonNullable<ReturnType<typeof useDayEnd>>;

/** What counts of what was typed: a correction begins with what was sent. */
function typedOver(over: string | null, typed: Typed | null, sent: SentDay | null): Typed {
  return typed?.over === over ? typed : { over, returns: [], handedBags: sent?.bagNumbers ?? [] };
}

/** This phone's own word or the server's, which may come from another phone: the later of the two. */
function useSent(day: string, steps: readonly Entry[]): SentDay | null {
  const { person } = useSession();
  const { sending, clockAheadMs } = useOfflineStatus();
  const asked = useDayEnds(day).data?.find((end) => end.personId === person.id);
  const ofDay = steps.flatMap((entry) => (entry.type === 'day-ended' && entry.event.date === day ? [entry] : []));
  const own = ofDay.at(-1);
  const isOfOtherPhone = asked !== undefined && ofDay.every(({ id }) => id !== asked.eventId);
  if (asked && (!own || (isOfOtherPhone && Date.parse(asked.endedAt) > Date.parse(own.savedAt) + clockAheadMs))) {
    return { ...asked, at: asked.endedAt, state: 'saved' };
  }
  return own ? { ...own.event, at: own.savedAt, state: stateOf([own], sending) } : null;
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
        // Written by `keep` above alone, by an older one without the bags, or what it lies over.
        return { work, outbox, typed: { ...nothingTyped, ...(typed?.value as Partial<Typed> | undefined) } };
      },
      [userId, day],
    ),
  );
}
