import type { VdiConfig } from '../../contract/nama-vdi.ts';
import { Badge, type Tone } from '../ui/badge.tsx';

/** Which environment is in use, or that none is. */
export function EnvironmentBadge({ config }: { config: VdiConfig }) {
  if (config.status !== 'active') return <Badge tone={config.status === 'error' ? 'bad' : 'idle'}>inactive</Badge>;
  const tone: Tone = config.environment === 'production' ? 'ok' : 'run';
  return <Badge tone={tone}>{config.environment}</Badge>;
}
