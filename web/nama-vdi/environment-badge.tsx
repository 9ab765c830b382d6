import type { VdiConfig } from '../../contract/nama-vdi.ts';
import { Badge } from '../ui/badge.tsx';

/** Which environment is in use, or that none is; a connection that fails or is being worked on is in use all the same. */
export function EnvironmentBadge({ config: { status, environment } }: { config: VdiConfig }) {
  if (status === 'error' || status === 'maintenance') {
    return (
      <>
        <Badge tone="outline">{environment}</Badge>
        <Badge tone={status === 'error' ? 'bad' : 'warn'}>{status}</Badge>
      </>
    );
  }
  if (status !== 'active') return <Badge tone="idle">inactive</Badge>;
  return <Badge tone={environment === 'production' ? 'ok' : 'run'}>{environment}</Badge>;
}
