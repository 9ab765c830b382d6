import { toast } from '../../ui/toasts/toast.ts';
import { dismissEntry, restoreEntry } from '../actions.ts';
import { useOffline } from '../use-offline.ts';
import { entryTitle } from './entry-title.ts';
import type { Entry } from './records.ts';

/** Takes a change off the list of those that need a person; the message puts it back: it may be the only copy there is. */
export function useDismiss(): (entry: Entry) => void {
  const offline = useOffline();
  // A store that fails says so by itself, and the entry stays where it is.
  const put = (entry: Entry): void => void restoreEntry(offline, entry).catch(() => undefined);
  const told = (entry: Entry): void =>
    toast({
      title: 'Change dismissed',
      description: entryTitle(entry),
      action: { label: 'Undo', run: () => put(entry) },
    });
  return (entry) =>
    void dismissEntry(offline, entry.seq).then(
      () => told(entry),
      () => undefined,
    );
}
