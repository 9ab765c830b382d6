import type { Alert } from '../../contract/alerts.ts';
import { raisedText } from '../../domain/time.ts';
import { countOf, formatDateTime } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Button } from '../ui/button.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { SeverityBadge } from '../ui/status-badge.tsx';
import { ShowMore } from '../ui/tables/show-more.tsx';
import { type AlertFilter, alertsAtOnce, useAcknowledge, useAlertPages, useResolve } from './api.ts';

type Props = {
  filter: AlertFilter;
  /** The list is of one machine: its name goes without saying. */
  ofMachine?: boolean;
  onClear?: () => void;
};

/** Alerts, further ones by a button; each is noted or ended in its row. */
export function AlertList({ filter, ofMachine = false, onClear }: Props) {
  const list = useAlertPages(filter);
  const onward = useFocusOnward();
  const alerts = list.data?.pages.flatMap((page) => page.alerts) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  if (list.error && alerts.length === 0) {
    return <FailedView error={list.error} retry={() => void list.refetch()} title="Alerts did not load" />;
  }
  if (list.isPending) return <SkeletonRows rows={5} className="h-14" />;
  if (alerts.length === 0) return <Nothing filter={filter} onClear={onClear} />;
  return (
    <>
      <ul aria-label="Alerts" aria-busy={list.isPlaceholderData} {...onward}>
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} ofMachine={ofMachine} />
        ))}
      </ul>
      <ShowMore
        shown={alerts.length}
        total={total}
        step={alertsAtOnce}
        things="alerts"
        pending={list.isFetchingNextPage}
        failed={list.isFetchNextPageError}
        onMore={() => void list.fetchNextPage()}
      />
      {alerts.length >= total && (
        <p role="status" className="border-line border-t px-4 py-3 text-12 text-text-3">
          {countOf(total, 'alert')}
        </p>
      )}
    </>
  );
}

function Nothing({ filter, onClear }: { filter: AlertFilter; onClear: (() => void) | undefined }) {
  const isFiltered = Boolean(filter.severity || filter.type || filter.route || filter.q);
  if (isFiltered && onClear) {
    return <StateView icon="search" title="No alert matches" action={<ClearFilters onClear={onClear} />} />;
  }
  return <StateView icon="check" title="No alerts" text="An alert is here when a rule finds its cause." />;
}

function AlertRow({ alert, ofMachine }: { alert: Alert; ofMachine: boolean }) {
  const acknowledge = useAcknowledge();
  const resolve = useResolve();
  const { id, message } = alert;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2 last:border-b-0">
      <span className="w-20 flex-none">
        <SeverityBadge severity={alert.severity} />
      </span>
      <span className="min-w-0 flex-1 max-sm:basis-full">
        <span className={alert.resolvedAt ? 'block text-text-2' : 'block'}>{message}</span>
        <span className="block text-12 text-text-3">
          {!ofMachine && (
            <>
              <AppLink href={`/vending-machines/${alert.machineId}`} className="text-link">
                {alert.machineName}
              </AppLink>
              {'. '}
            </>
          )}
          <time dateTime={alert.createdAt} title={formatDateTime(alert.createdAt)}>
            {raisedText(new Date(alert.createdAt), new Date())}
          </time>
          {history(alert)}
        </span>
      </span>
      {!alert.resolvedAt && (
        <span className="flex gap-2">
          {!alert.acknowledged && (
            <Button
              className="max-lg:min-h-12"
              pending={acknowledge.isPending}
              aria-label={`Acknowledge ${message}`}
              onClick={() => acknowledge.mutate(id)}
            >
              Acknowledge
            </Button>
          )}
          <Button
            className="max-lg:min-h-12"
            pending={resolve.isPending}
            aria-label={`Resolve ${message}`}
            onClick={() => resolve.mutate(id)}
          >
            Resolve
          </Button>
        </span>
      )}
    </li>
  );
}

/** Who took note of it and how it ended, when. */
function history({ acknowledged, acknowledgedBy, acknowledgedAt, resolvedAt, resolvedBy }: Alert): string {
  const noted =
    acknowledged && acknowledgedAt ? `. Acknowledged by ${acknowledgedBy}, ${formatDateTime(acknowledgedAt)}` : '';
  if (!resolvedAt) return noted;
  const ended = resolvedBy ? `Resolved by ${resolvedBy}` : 'Resolved by itself';
  return `${noted}. ${ended}, ${formatDateTime(resolvedAt)}`;
}
