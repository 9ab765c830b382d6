import { useEffect, useRef } from 'react';
import { countOf } from '../http/format.ts';
import { useOfflineStatus } from '../offline/use-offline.ts';
import { Flag, type Tone } from '../ui/badge.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useSteadyStrip } from './steady-strip.ts';
import { useUnanswered } from './unanswered.ts';

const dayMs = 24 * 3_600_000;

/** The one thing that is true now about the server and what this device holds; nothing to say, nothing shown. */
export function OfflineStrip() {
  const status = useOfflineStatus();
  const unanswered = useUnanswered();
  useConnectionToasts(status.online);
  const now = wordOf(status, unanswered);
  const { strip, held } = useSteadyStrip(now?.text ?? null);
  const word = now ?? (held > 0 ? nothingWaits : null);
  if (!word) return null;
  return (
    <div
      ref={strip}
      role="status"
      style={held > 0 ? { minHeight: held } : undefined}
      className="flex min-h-10 items-center gap-2 border-line border-b bg-subtle px-6 py-2 *:whitespace-normal max-lg:px-4"
    >
      <Flag tone={word.tone}>{word.text}</Flag>
    </div>
  );
}

const nothingWaits = { tone: 'ok', text: 'Online. Nothing waits to be sent.' } as const;

type Status = ReturnType<typeof useOfflineStatus>;

function wordOf(status: Status, unanswered: string | null): { tone: Tone; text: string } | null {
  const old = status.oldestUnsentAt !== null && Date.now() - Date.parse(status.oldestUnsentAt) > dayMs;
  const changes = (n: number): string => countOf(n, 'change');
  const all = status.unsent + status.unsentOthers;
  if (status.notSaved)
    return { tone: 'bad', text: 'NOT saved: this device is full. Free some space, then save again.' };
  // Offline says why nothing is answered; all that waits can wait until something is.
  if (unanswered && status.online) return { tone: 'warn', text: unanswered };
  if (status.attention)
    return {
      tone: 'bad',
      text: `${changes(status.attention)} ${status.attention === 1 ? 'needs' : 'need'} attention. Open Mobile Inventory.`,
    };
  // The oldest may be somebody else's who used this device.
  if (old) return { tone: 'bad', text: `${changes(all)} not sent, the oldest for more than a day. Find a connection.` };
  if (!status.online && status.unsent)
    return { tone: 'idle', text: `Offline. ${changes(status.unsent)} saved on this device` };
  if (!status.online) return { tone: 'idle', text: 'Offline. Counts and stops are kept on this device.' };
  if (status.signInNeeded && status.unsent)
    return { tone: 'warn', text: `${changes(status.unsent)} saved on this device. Sign in to send.` };
  // A change may take several entries to tell: of those under way no more are named than wait.
  const underWay = Math.min(status.sending.size, Math.max(1, all));
  if (underWay > 0) return { tone: 'run', text: `Sending ${changes(underWay)}` };
  if (status.unsent) return { tone: 'idle', text: `${changes(status.unsent)} saved on this device` };
  return null;
}

function useConnectionToasts(online: boolean): void {
  const before = useRef(online);
  useEffect(() => {
    if (before.current === online) return;
    before.current = online;
    if (online) toast({ title: 'Back Online', description: 'Connection restored. Syncing pending updates...' });
    else toast({ title: 'Offline Mode', description: 'Updates will be saved locally until connection is restored.' });
  }, [online]);
}
