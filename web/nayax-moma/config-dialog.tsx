import { ConfigForm } from '../integrations/config-form.tsx';
import { FormOnceRead } from '../integrations/form-once-read.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { type LynxConfig, type LynxSystem, labelOf } from './api.ts';

type Props = { system: LynxSystem; config: LynxConfig | null; onClose: () => void };

/** Adds or changes a configuration. */
export function ConfigDialog({ system, config, onClose }: Props) {
  const title = config ? `Edit ${config.name}` : `Add ${labelOf[system]} Configuration`;
  return (
    <FormOnceRead system={system} editedId={config?.id ?? null} title={title} onClose={onClose}>
      {(info, edited) => (
        <ConfigForm
          system={info}
          config={edited}
          onClose={onClose}
          onSaved={({ name, syncEnabled }) =>
            toast(
              edited
                ? { title: 'Configuration Updated', description: name }
                : {
                    title: `${labelOf[system]} Configuration Created`,
                    // The timetable begins with it by itself; without one it waits for the button.
                    description: syncEnabled ? `${name} is read in a minute` : `${name} can be synced now`,
                  },
            )
          }
        />
      )}
    </FormOnceRead>
  );
}
