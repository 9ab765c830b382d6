import type { VdiConfig } from '../../contract/nama-vdi.ts';
import { Badge } from '../ui/badge.tsx';

/** Which environment is read, or that none is; beside it why, where no person switched it off. */
export function EnvironmentBadge({ config: { status, environment } }: { config: VdiConfig }) {
  if (status === 'active') return <Badge tone={environment === 'production' ? 'ok' : 'run'}>{environment}</Badge>;
  return (
    <>
      <Badge tone="idle">inactive</Badge>
      {status !== 'inactive' && <Badge tone={status === 'error' ? 'bad' : 'warn'}>{status}</Badge>}
    </>
  );
}
