import { listRemarks } from '../../offline/kept/reads.ts';
import { entryTitle } from '../../offline/outbox/entry-title.ts';
import type { StoredKind } from '../../offline/outbox/signal.ts';
import { useDismiss } from '../../offline/outbox/use-dismiss.ts';
import { useStored } from '../../offline/use-offline.ts';
import { Button } from '../../ui/button.tsx';

const answered: readonly StoredKind[] = ['outbox'];

/** What a driver should know of changes that were taken: made without a network, their answer came when nobody looked. */
export function Remarks() {
  const dismiss = useDismiss();
  const entries = useStored(listRemarks, answered) ?? [];
  if (entries.length === 0) return null;
  return (
    <ul aria-label="Saved, with a remark" className="border-line border-b">
      {entries.map((entry) => (
        <li
          key={entry.seq}
          className="grid gap-1 border-line border-t bg-warn-soft px-4 py-3 text-warn-text first:border-t-0"
        >
          <span className="font-semibold text-16">{entryTitle(entry)}</span>
          <span className="text-16">{entry.reason}</span>
          <Button size="field" onClick={() => dismiss(entry)}>
            Dismiss
          </Button>
        </li>
      ))}
    </ul>
  );
}
