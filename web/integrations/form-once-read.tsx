import type { ReactNode } from 'react';
import type { IntegrationConfig, IntegrationSystemInfo } from '../../contract/integrations.ts';
import type { IntegrationSystem } from '../../domain/integration.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useConfigs, useSystems } from './config-api.ts';

type Props = {
  system: IntegrationSystem;
  /** What is edited; null adds one. */
  editedId: number | null;
  title: string;
  onClose: () => void;
  children: (system: IntegrationSystemInfo, config: IntegrationConfig | null) => ReactNode;
};

/** The form of a configuration once the system's fields, and what is set of them, are read; says where they are not. */
export function FormOnceRead({ system, editedId, title, onClose, children }: Props) {
  const systems = useSystems();
  const configs = useConfigs(system);
  const info = systems.data?.find((one) => one.system === system);
  const edited = editedId === null ? null : configs.data?.find(({ id }) => id === editedId);
  if (info && edited !== undefined) return children(info, edited);
  const unread = [systems, ...(editedId === null ? [] : [configs])].find(({ data, error }) => error && !data);
  if (!unread?.error) return null;
  return (
    <Dialog open onClose={onClose} title={title}>
      <FailedView error={unread.error} retry={() => void unread.refetch()} title="The configuration did not load" />
    </Dialog>
  );
}
