import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Alert, acknowledgeAlert, alertPage } from '../../../contract/alerts.ts';
import { raisedText } from '../../../domain/time.ts';
import { call, sentenceOf } from '../../http/client.ts';
import { formatDateTime, formatNumber } from '../../http/format.ts';
import { queryFor } from '../../http/query-client.ts';
import { AppLink } from '../../ui/address/app-link.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { FailedView, StateView } from '../../ui/state-view.tsx';
import { SeverityBadge } from '../../ui/status-badge.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { Popover } from './popover.tsx';

/** More than these are on the page of all alerts. */
const listedAtMost = 100;

/** Alerts that nobody has taken note of; the dot is there only while there is one. */
export function AlertsBell() {
  const alerts = useQuery(queryFor(alertPage, { query: { state: 'new', limit: listedAtMost } }));
  const count = alerts.data?.total ?? 0;
  return (
    <Popover
      label="Alerts"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          aria-label={count ? `Alerts, ${count} not acknowledged` : 'Alerts'}
          className={`${buttonClass({ variant: 'quiet' })} relative w-8 px-0 max-lg:size-12 max-lg:[&_svg]:size-6`}
        >
          <Icon name="bell" />
          {count > 0 && (
            <span
              data-testid="bell-dot"
              className="absolute top-1.5 right-1.5 size-2 rounded-full border border-ground bg-bad max-lg:top-3 max-lg:right-3"
            />
          )}
        </button>
      )}
    >
      {(close) => (
        <AlertList page={alerts.data} error={alerts.error} retry={() => void alerts.refetch()} onLeave={close} />
      )}
    </Popover>
  );
}

type ListProps = {
  page: { alerts: Alert[]; total: number } | undefined;
  error: unknown;
  retry: () => void;
  onLeave: () => void;
};

function AlertList({ page, error, retry, onLeave }: ListProps) {
  const { panel, onTaken } = useFocusAfter(page);
  if (error && !page) return <FailedView error={error} retry={retry} title="Alerts did not load" />;
  if (!page) return <p className="p-4">Loading</p>;
  const { alerts, total } = page;
  return (
    <div ref={panel} tabIndex={-1} className="outline-none">
      {alerts.length === 0 ? (
        <StateView icon="check" title="No alerts" text="Every alert has been taken note of." />
      ) : (
        <h2 className="border-line border-b px-4 py-3">
          Alerts <span className="font-medium text-text-3">{formatNumber(total)}</span>
        </h2>
      )}
      <ul>
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} onLeave={onLeave} onTaken={onTaken} />
        ))}
      </ul>
      {total > alerts.length && (
        <AppLink
          href="/vending-machines/alerts?state=new"
          onClick={onLeave}
          className="flex min-h-12 items-center border-line border-t px-4 font-medium text-accent hover:underline"
        >
          All {formatNumber(total)} alerts
        </AppLink>
      )}
    </div>
  );
}

/** The row that was acknowledged goes and takes the focus along: it goes on at the next one, or at what says there is none. */
function useFocusAfter(page: unknown) {
  const panel = useRef<HTMLDivElement>(null);
  const isTaken = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what takes the row away
  useEffect(() => {
    if (!isTaken.current || document.activeElement !== document.body) return;
    isTaken.current = false;
    (panel.current?.querySelector('button') ?? panel.current)?.focus();
  }, [page]);
  const onTaken = (): void => {
    isTaken.current = true;
  };
  return { panel, onTaken };
}

type RowProps = Pick<ListProps, 'onLeave'> & { alert: Alert; onTaken: () => void };

function AlertRow({ alert, onLeave, onTaken }: RowProps) {
  const client = useQueryClient();
  const acknowledge = useMutation({
    mutationFn: () => call(acknowledgeAlert, { params: { id: alert.id } }),
    onSuccess: () => {
      onTaken();
      return client.invalidateQueries({ queryKey: [alertPage.path] });
    },
    onError: (error) => toast({ title: 'Not acknowledged', description: sentenceOf(error), variant: 'destructive' }),
  });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 border-line border-b px-4 py-3 last:border-b-0">
      <div className="flex items-center gap-2">
        <SeverityBadge severity={alert.severity} />
        <span className="text-12 text-text-3" title={formatDateTime(alert.createdAt)}>
          {raisedText(new Date(alert.createdAt), new Date())}
        </span>
      </div>
      <p>{alert.message}</p>
      <div className="flex items-center justify-between gap-2">
        <AppLink
          href={`/vending-machines/${alert.machineId}`}
          onClick={onLeave}
          className="flex min-w-0 items-center text-link max-lg:min-h-12"
        >
          <span className="min-w-0 py-1">{alert.machineName}</span>
        </AppLink>
        <Button
          className="flex-none max-lg:min-h-12"
          pending={acknowledge.isPending}
          onClick={() => acknowledge.mutate()}
        >
          Acknowledge
        </Button>
      </div>
    </li>
  );
}
