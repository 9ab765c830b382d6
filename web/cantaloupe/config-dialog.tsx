import { ConfigForm } from '../integrations/config-form.tsx';
import { FormOnceRead } from '../integrations/form-once-read.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { failed, tellNotCreated } from './api.ts';

type Props = { editedId: number | null; onClose: () => void; onSaved: (id: number) => void };

/** Creates a configuration, or changes one. */
export function ConfigDialog({ editedId, onClose, onSaved }: Props) {
  const title = editedId === null ? 'New Configuration' : 'Edit Configuration';
  return (
    <FormOnceRead system="cantaloupe" editedId={editedId} title={title} onClose={onClose}>
      {(info, edited) => (
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
                : {
                    title: 'Configuration Created',
                    description: 'Enter its webhook address in the report transport now.',
                  },
            );
            onSaved(id);
          }}
        />
      )}
    </FormOnceRead>
  );
}
