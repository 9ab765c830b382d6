import { useSyncExternalStore } from 'react';
import { onClockKnown } from '../http/clock.ts';
import { today } from '../http/format.ts';

const minuteMs = 60_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, minuteMs);
  const stop = onClockKnown(listener);
  return () => {
    clearInterval(timer);
    stop();
  };
}

/** Today's calendar day where the operator is: a screen left open over midnight goes on with the next one. */
export const useToday = (): string => useSyncExternalStore(subscribe, () => today());
