import type { IntegrationSystem } from '../../domain/integration.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { formatDateTime } from '../http/format.ts';
import { Badge } from '../ui/badge.tsx';

/** Instead of the state of a connection, while its partner wants to be left alone. */
export const RestBadge = () => <Badge tone="idle">Waiting</Badge>;

type Props = { system: IntegrationSystem; until: string | null; className?: string };

/** A pause that the partner asked for: nothing is wrong, and nobody has to do anything. */
export function PartnerRest({ system, until, className = 'rounded-s bg-idle-soft px-3 py-2 text-idle-text' }: Props) {
  if (until === null) return null;
  return (
    <p role="status" className={className}>
      {systemLabel[system]} asked us to wait. It is read again after {formatDateTime(until)}.
    </p>
  );
}
