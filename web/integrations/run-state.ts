import type { SyncRun } from '../../contract/integration-runs.ts';
import type { Tone } from '../ui/badge.tsx';

/** How a run stands, in one word wherever runs are shown. */
export const runState: Record<SyncRun['status'], { tone: Tone; label: string }> = {
  pending: { tone: 'idle', label: 'Waiting' },
  running: { tone: 'run', label: 'Running' },
  succeeded: { tone: 'ok', label: 'Done' },
  paused: { tone: 'idle', label: 'Paused' },
  failed: { tone: 'bad', label: 'Failed' },
  cancelled: { tone: 'idle', label: 'Stopped' },
  abandoned: { tone: 'warn', label: 'Broken off' },
};

/** Records that a run left unread. What a failed one failed of is one of its errors, and is told in its message. */
export const unreadOf = ({ status, errorCount }: Pick<SyncRun, 'status' | 'errorCount'>): number =>
  status === 'failed' ? Math.max(0, errorCount - 1) : errorCount;
