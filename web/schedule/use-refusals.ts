import { useEffect, useRef } from 'react';
import { entryTitle } from '../offline/outbox/entry-title.ts';
import type { Entry } from '../offline/outbox/records.ts';
import { toast } from '../ui/toasts/toast.ts';
import { refusedSteps } from './step-states.ts';

/**
 * Says aloud what the server would not have, at the moment it says so: the driver may stand anywhere on the screen.
 * What was refused before the screen was opened only stands in the list. `steps` is undefined until they are read.
 */
export function useRefusals(steps: readonly Entry[] | undefined): void {
  const known = useRef<ReadonlySet<number> | null>(null);
  useEffect(() => {
    if (!steps) return;
    const before = known.current;
    const refused = refusedSteps(steps);
    known.current = new Set(refused.map((entry) => entry.seq));
    const [newest, ...others] = before ? refused.filter((entry) => !before.has(entry.seq)) : [];
    if (!newest) return;
    toast({
      title: 'Not taken by the server',
      description: [`${entryTitle(newest)}.`, newest.reason, others.length > 0 && `And ${others.length} more.`]
        .filter(Boolean)
        .join(' '),
      variant: 'destructive',
    });
  }, [steps]);
}
