import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Alert, acknowledgeAlert, listAlerts } from '../../../contract/alerts.ts';
import { relativeTime } from '../../../domain/time.ts';
import { call, sentenceOf } from '../../http/client.ts';
import { formatDateTime } from '../../http/format.ts';
import { queryFor } from '../../http/query-client.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { FailedView, StateView } from '../../ui/state-view.tsx';
import { SeverityBadge } from '../../ui/status-badge.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { Popover } from './popover.tsx';

/** Alerts that nobody has taken note of; the dot is there only while there is one. */
export function AlertsBell() {
  const alerts = useQuery(queryFor(listAlerts, { query: { acknowledged: 'false' } }));
  const count = alerts.data?.length ?? 0;
  return (
    <Popover
      label="Alerts"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          aria-label={count ? `Alerts, ${count} not acknowledged` : 'Alerts'}
          className={`${buttonClass({ variant: 'quiet' })} relative w-8 px-0 max-lg:size-12`}
        >
          <Icon name="bell" size={20} />
          {count > 0 && (
            <span
              data-testid="bell-dot"
              className="absolute top-1 right-1 size-2 rounded-full border border-ground bg-bad max-lg:top-3 max-lg:right-3"
            />
          )}
        </button>
      )}
    >
      {() => <AlertList alerts={alerts.data} error={alerts.error} retry={() => void alerts.refetch()} />}
    </Popover>
  );
}

type ListProps = { alerts: Alert[] | undefined; error: unknown; retry: () => void };

function AlertList({ alerts, error, retry }: ListProps) {
  if (error && !alerts) return <FailedView error={error} retry={retry} />;
  if (!alerts) return <p className="p-4">Loading</p>;
  if (alerts.length === 0)
    return <StateView icon="check" title="No alerts" text="Every alert has been taken note of." />;
  return (
    <>
      <h2 className="border-line border-b px-4 py-3">
        Alerts <span className="font-medium text-text-3">{alerts.length}</span>
      </h2>
      <ul>
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} />
        ))}
      </ul>
    </>
  );
}

function AlertRow({ alert }: { alert: Alert }) {
  const client = useQueryClient();
  const acknowledge = useMutation({
    mutationFn: () => call(acknowledgeAlert, { params: { id: alert.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: [listAlerts.path] }),
    onError: (error) => toast({ title: 'Not acknowledged', description: sentenceOf(error), variant: 'destructive' }),
  });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 border-line border-b px-4 py-3 last:border-b-0">
      <div className="flex items-center gap-2">
        <SeverityBadge severity={alert.severity} />
        <span className="text-12 text-text-3" title={formatDateTime(alert.createdAt)}>
          {relativeTime(new Date(alert.createdAt), new Date())}
        </span>
      </div>
      <p>{alert.message}</p>
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 truncate text-text-2">{alert.machineName}</span>
        <Button className="max-lg:min-h-12" pending={acknowledge.isPending} onClick={() => acknowledge.mutate()}>
          Acknowledge
        </Button>
      </div>
    </li>
  );
}
