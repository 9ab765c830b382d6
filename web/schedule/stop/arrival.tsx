import type { Stop } from '../../../contract/routes.ts';
import { spanText } from '../../../domain/exception.ts';
import { comesAt, isSettled, minutesLate } from '../../../domain/route-progress.ts';
import { formatTime } from '../../http/format.ts';
import { operatorRules } from '../../http/operator-rules.ts';
import { useOffline, useOfflineStatus } from '../../offline/use-offline.ts';
import { Flag, type Tone } from '../../ui/badge.tsx';
import { DoorNote } from '../../ui/door-note.tsx';
import { useNow } from '../../ui/use-now.ts';

/** When a stop is expected or was reached, against the plan. */
export function Arrival({ stop }: { stop: Stop }) {
  const { estimatedArrival, expectedArrival, actualArrival, completed } = stop;
  const planned = estimatedArrival ? `planned ${formatTime(estimatedArrival)}` : 'no ETA planned';
  const late = useLateness(stop);
  return (
    <>
      <span className="font-semibold">
        {completed && (actualArrival ? `Done, arrived ${formatTime(actualArrival)}` : 'Done')}
        {!completed && actualArrival && `Arrived ${formatTime(actualArrival)}`}
        {!completed && !actualArrival && etaText(expectedArrival ?? estimatedArrival)}
      </span>
      {(expectedArrival ?? actualArrival) && <span className="text-12 text-text-2">{planned}</span>}
      {late && <Flag tone={late.tone}>{late.word}</Flag>}
      {!isSettled(stop) && <DoorNote {...stop} at={comesAt(stop)} />}
    </>
  );
}

const etaText = (at: string | null): string => (at ? `ETA ${formatTime(at)}` : 'No ETA');

/** In words how far a stop is from its plan by now; null where nothing can be said or nothing lies ahead. */
export function useLateness(stop: Stop): { tone: Tone; word: string } | null {
  const now = useNow(useOffline().environment.now);
  const { clockAheadMs } = useOfflineStatus();
  if (stop.skippedReason !== null) return null;
  const late = minutesLate(stop, now.getTime() + clockAheadMs);
  if (late === null) return null;
  if (late > operatorRules().lateAfterMin) return { tone: 'warn', word: `${spanText(late)} late` };
  if (late > 0) return { tone: 'idle', word: `${late} min late` };
  if (late < -1) return { tone: 'ok', word: `${spanText(-late)} early` };
  return { tone: 'ok', word: 'On time' };
}
