import type { Alert } from '../../contract/alerts.ts';
import { raisedText } from '../../domain/time.ts';
import { useAcknowledge, useNewAlerts } from '../alerts/api.ts';
import { formatDateTime } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { SeverityBadge } from '../ui/status-badge.tsx';

/** More than these are on the page of all alerts. */
const shownAtMost = 3;

/** Alerts that nobody has taken note of, the gravest first. */
export function ActiveAlerts() {
  const alerts = useNewAlerts(shownAtMost);
  const onward = useFocusOnward();
  const shown = alerts.data?.alerts ?? [];
  return (
    <Card
      title="Active Alerts"
      {...(alerts.data ? { count: alerts.data.total } : {})}
      actions={
        <AppLink
          href="/vending-machines/alerts"
          className="inline-flex items-center font-medium text-accent hover:underline max-lg:min-h-12"
        >
          All alerts
        </AppLink>
      }
    >
      {alerts.error && !alerts.data && (
        <FailedView error={alerts.error} retry={() => void alerts.refetch()} title="Alerts did not load" />
      )}
      {alerts.isPending && <SkeletonRows rows={5} className="h-4.75 max-lg:h-6.5 max-sm:h-19.5" />}
      {alerts.data && shown.length === 0 && (
        <p className="px-4 py-3 text-text-2">No active alerts. Every alert has been taken note of.</p>
      )}
      {shown.length > 0 && (
        <ul aria-label="Active alerts" {...onward}>
          {shown.map((alert) => (
            <AlertRow key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function AlertRow({ alert }: { alert: Alert }) {
  const acknowledge = useAcknowledge();
  return (
    <li className="flex items-center gap-3 border-line border-b px-4 py-2 last:border-b-0 max-sm:flex-wrap">
      <span className="w-20 flex-none">
        <SeverityBadge severity={alert.severity} />
      </span>
      <span className="min-w-0 flex-1 max-sm:basis-full">
        <span className="block">{alert.message}</span>
        <span className="text-12 text-text-3">
          <AppLink href={`/vending-machines/${alert.machineId}`} className="text-link">
            {alert.machineName}
          </AppLink>
          {'. '}
          <time dateTime={alert.createdAt} title={formatDateTime(alert.createdAt)}>
            {raisedText(new Date(alert.createdAt), new Date())}
          </time>
        </span>
      </span>
      <Button
        className="max-lg:min-h-12"
        pending={acknowledge.isPending}
        aria-label={`Acknowledge ${alert.message}`}
        onClick={() => acknowledge.mutate(alert.id)}
      >
        Acknowledge
      </Button>
    </li>
  );
}
