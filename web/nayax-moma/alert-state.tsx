import type { MomaAlert } from '../../contract/moma.ts';
import { useMay } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { formatDateTime } from '../http/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useCloseAlert } from './api.ts';

/** Open with a way to close it, or since when it is over. No partner tells that a person took care of an alert. */
export function AlertState({ alert }: { alert: MomaAlert }) {
  const close = useCloseAlert();
  const mayWrite = useMay('office:write');
  if (alert.resolved) {
    return (
      <span title={alert.resolvedAt ? formatDateTime(alert.resolvedAt) : undefined}>
        <Badge tone="ok">Resolved</Badge>
      </span>
    );
  }
  if (!mayWrite) return <Badge tone="warn">Open</Badge>;
  return (
    <Button
      size="small"
      pending={close.isPending}
      aria-label={`Close alert: ${alert.message}`}
      className="max-lg:min-h-12"
      onClick={() =>
        close.mutate(alert.id, {
          onSuccess: () => toast({ title: 'Alert Closed', description: alert.message }),
          onError: (error) => toast({ title: 'Not closed', description: sentenceOf(error), variant: 'destructive' }),
        })
      }
    >
      Close
    </Button>
  );
}
