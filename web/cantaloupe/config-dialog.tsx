import { useConfigs, useSystems } from '../integrations/config-api.ts';
import { ConfigForm } from '../integrations/config-form.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { failed, tellNotCreated } from './api.ts';

type Props = { editedId: number | null; onClose: () => void; onSaved: (id: number) => void };

/** Creates a configuration, or changes one. Drawn when the system's fields, and what is set of them, are known. */
export function ConfigDialog({ editedId, onClose, onSaved }: Props) {
  const systems = useSystems();
  const configs = useConfigs('cantaloupe');
  const info = systems.data?.find((one) => one.system === 'cantaloupe');
  const edited = editedId === null ? null : configs.data?.find(({ id }) => id === editedId);
  const title = editedId === null ? 'New Configuration' : 'Edit Configuration';
  if (!info || edited === undefined) {
    const unread = [systems, ...(editedId === null ? [] : [configs])].find(({ error }) => error);
    return unread?.error ? (
      <Dialog open onClose={onClose} title={title}>
        <FailedView error={unread.error} retry={() => void unread.refetch()} title="The configuration did not load" />
      </Dialog>
    ) : null;
  }
  return (
    <ConfigForm
      system={info}
      config={edited}
      title={title}
      submitLabel={edited ? 'Save' : 'Create Configuration'}
      onClose={onClose}
      onFailed={edited ? failed('Error') : tellNotCreated}
      onSaved={({ id }) => {
        toast(
          edited
            ? { title: 'Configuration Saved' }
            : { title: 'Configuration Created', description: 'Enter its webhook address in the report transport now.' },
        );
        onSaved(id);
      }}
    />
  );
}
