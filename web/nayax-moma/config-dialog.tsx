import { useConfigs, useSystems } from '../integrations/config-api.ts';
import { ConfigForm } from '../integrations/config-form.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { type LynxConfig, type LynxSystem, labelOf } from './api.ts';

type Props = { system: LynxSystem; config: LynxConfig | null; onClose: () => void };

/** Adds or changes a configuration. Drawn when the system's fields, and what is set of them, are known. */
export function ConfigDialog({ system, config, onClose }: Props) {
  const info = useSystems().data?.find((one) => one.system === system);
  const configs = useConfigs(system).data;
  const edited = config ? configs?.find(({ id }) => id === config.id) : null;
  if (!info || edited === undefined) return null;
  return (
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
  );
}
