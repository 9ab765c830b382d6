import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { DayPlan } from '../../../contract/day-plans.ts';
import type { Arrangement } from '../../../domain/day-plan.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { sentenceOf } from '../../http/client.ts';
import { onDragOver } from '../../ui/drag-over.ts';
import { toast } from '../../ui/toasts/toast.ts';
import { previewPlan, useArrangePlan, usePlanChanging, usePlanSaving, usePlanStep } from '../api.ts';
import { arrangementOf, costOf, isThere, move, setLocked, type Target } from '../arrangement.ts';
import { costText } from '../wording.ts';

/** A hand resting over a place for this long asks what the move would cost. */
const restMs = 120;

type Hover = { stop: LocationRef; to: Target };

/** Changes of a plan by hand: each at once, each taken back with one tap, and its cost said before and after. */
export function useMoves(plan: DayPlan) {
  const arrange = useArrangePlan(plan.id);
  const step = usePlanStep(plan.id);
  const [dragged, setDragged] = useState<LocationRef | null>(null);
  const [hover, setHover] = useState<Hover | null>(null);
  const [carried, setCarried] = useState<LocationRef | null>(null);
  const cost = usePreview(plan, hover);
  const pending = usePlanChanging(plan.id);
  const saving = usePlanSaving(plan.id);

  function make(arrangement: Arrangement, title: string): void {
    if (saving) toast(beingSaved);
    if (pending) return;
    arrange.mutate(
      { version: plan.version, arrangement },
      {
        onSuccess: (after) =>
          toast({
            title,
            description: costText(costOf(plan, after)),
            // The toast may outlive the screen, and what is given to `mutate` is not called then.
            action: { label: 'Undo', run: () => step.mutateAsync('undo').catch(failed('Nothing Undone')) },
          }),
        onError: failed('Stop Not Moved'),
      },
    );
  }

  function put(stop: LocationRef, to: Target): void {
    const before = arrangementOf(plan);
    if (!isThere(before, stop, to)) make(move(before, stop, to), titleOf(plan, to));
  }

  function end(): void {
    setDragged(null);
    setHover(null);
  }

  function over(to: Target): void {
    if (!dragged) return;
    const next = isThere(arrangementOf(plan), dragged, to) ? null : { stop: dragged, to };
    setHover((before) => (before && next && isSame(before.to, next.to) ? before : next));
  }

  return {
    dragged,
    target: hover?.to ?? null,
    cost,
    pending,
    saving,
    begin: (stop: LocationRef) => {
      setCarried(null);
      setDragged(stop);
    },
    end,
    /** What makes an element take stops. */
    zone: (targetOf: (event: DragEvent) => Target) => {
      const take = (event: DragEvent): void => {
        if (!dragged) return;
        event.preventDefault();
        over(targetOf(event));
      };
      return {
        ...onDragOver(take),
        onDrop: (event: DragEvent) => {
          event.preventDefault();
          end();
          if (dragged) put(dragged, targetOf(event));
        },
      };
    },
    /** Moved by keyboard: the focus goes along until it is taken elsewhere. */
    moveTo: (stop: LocationRef, to: Target) => {
      if (to.route !== null && !plan.routes[to.route]) return;
      setCarried(stop);
      put(stop, to);
    },
    isCarried: ({ type, id }: LocationRef) => carried?.type === type && carried.id === id,
    letGo: () => setCarried(null),
    lock: (stop: LocationRef, locked: boolean) => {
      make(setLocked(arrangementOf(plan), stop, locked), locked ? 'Stop Locked' : 'Stop Unlocked');
    },
  };
}

const failed = (title: string) => (error: unknown) => {
  toast({ title, description: sentenceOf(error), variant: 'destructive' });
};

const beingSaved = {
  title: 'Stop Not Moved',
  description: 'The routes are being saved as they stand. Should that fail, move it again.',
  variant: 'destructive' as const,
};

function titleOf(plan: DayPlan, to: Target): string {
  if (to.route === null) return 'Stop Taken Off';
  return `Moved to ${plan.routes[to.route]?.driverName ?? `Route ${to.route + 1}`}`;
}

const isSame = (a: Target, b: Target): boolean => a.route === b.route && a.index === b.index;

/** What the move under the hand would cost; null while that is not known. */
function usePreview(plan: DayPlan, hover: Hover | null): string | null {
  const [known, setKnown] = useState<{ hover: Hover; text: string } | null>(null);
  const latest = useRef<Hover | null>(null);
  useEffect(() => {
    latest.current = hover;
    if (!hover) return;
    const timer = setTimeout(() => {
      const arrangement = move(arrangementOf(plan), hover.stop, hover.to);
      previewPlan(plan.id, { version: plan.version, arrangement }).then(
        (after) => {
          if (latest.current === hover) setKnown({ hover, text: costText(costOf(plan, after)) });
        },
        () => setKnown(null),
      );
    }, restMs);
    return () => clearTimeout(timer);
  }, [plan, hover]);
  return known && known.hover === hover ? known.text : null;
}
