import { retryEntry } from '../offline/actions.ts';
import { entryTitle } from '../offline/outbox/entry-title.ts';
import type { Entry } from '../offline/outbox/records.ts';
import { useDismiss } from '../offline/outbox/use-dismiss.ts';
import { StateWord } from '../offline/state-word.tsx';
import { useOffline } from '../offline/use-offline.ts';
import { Button } from '../ui/button.tsx';
import { refusedSteps } from './step-states.ts';

/** What the office changed under the driver's hands: the sentence, and that the work is kept. */
export function RefusedSteps({ steps }: { steps: readonly Entry[] }) {
  const offline = useOffline();
  const dismiss = useDismiss();
  const refused = refusedSteps(steps);
  if (refused.length === 0) return null;
  return (
    <ul aria-label="Needs attention" className="rounded border border-bad">
      {refused.map((entry) => (
        <li key={entry.seq} className="grid gap-1 border-line border-b p-4 last:border-b-0">
          <StateWord state="needs_attention" />
          <span className="font-medium text-16">{entryTitle(entry)}</span>
          <span className="text-16">{entry.reason}</span>
          <span className="grid grid-cols-2 gap-2 pt-2">
            {entry.status === 'refused' && (
              <Button size="field" onClick={() => void retryEntry(offline, entry.seq)}>
                Try again
              </Button>
            )}
            <Button size="field" onClick={() => dismiss(entry)}>
              Dismiss
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}
