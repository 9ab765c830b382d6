import type { IntegrationSystem } from '../../domain/integration.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { formatTime } from '../http/format.ts';

type OpenRun = { status: string; isStopping: boolean; waitsUntil: string | null };

/** What an open run does instead of reading: it stops, the partner makes it wait, or it has not begun; null while it reads. */
export function pauseOf(system: IntegrationSystem, { status, isStopping, waitsUntil }: OpenRun): string | null {
  if (isStopping) return 'Stopping…';
  if (status === 'pending') return 'Waiting to begin';
  if (waitsUntil === null) return null;
  return `${systemLabel[system]} asked us to wait. It goes on at ${formatTime(waitsUntil)}.`;
}
