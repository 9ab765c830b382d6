import { useState } from 'react';
import type { Exception } from '../../contract/dashboard.ts';
import { spanText } from '../../domain/exception.ts';
import { useMay } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { formatDateTime, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { StateShape } from '../ui/badge.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { SeverityBadge } from '../ui/status-badge.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useSmallScreen } from '../ui/use-media.ts';
import { useNow } from '../ui/use-now.ts';
import { useAcknowledge, useExceptions } from './api.ts';
import { actionOf, kindLabel, kindsIn } from './exception-action.ts';
import { addressOf } from './location-address.ts';

/** Rows shown before somebody asks for all, in the office and on a phone. */
const shownFirst = { wide: 6, small: 3 };

const footer = 'flex items-center gap-2 border-line border-t px-2 py-1';

/** What needs a person now, worst first. */
export function NeedsYou() {
  const exceptions = useExceptions();
  const onward = useFocusOnward();
  const { get, set } = useAddress();
  const [all, setAll] = useState(false);
  const isSmall = useSmallScreen();
  const first = isSmall ? shownFirst.small : shownFirst.wide;
  if (exceptions.error && !exceptions.data) {
    return (
      <Card title="Needs you">
        <FailedView
          error={exceptions.error}
          retry={() => void exceptions.refetch()}
          title="What needs you did not load"
        />
      </Card>
    );
  }
  if (!exceptions.data) return <Placeholder rows={first} />;
  const { total, rows } = exceptions.data;
  const kinds = kindsIn(rows);
  const kind = kinds.find((one) => one.kind === get('needs'))?.kind ?? null;
  const matching = kind ? rows.filter((row) => row.kind === kind) : rows;
  const shown = all ? matching : matching.slice(0, first);
  return (
    <Card
      title="Needs you"
      count={formatNumber(total)}
      actions={
        kinds.length > 1 && (
          <KindChips kinds={kinds} count={rows.length} value={kind} onChange={(needs) => set({ needs })} />
        )
      }
    >
      {rows.length === 0 && (
        <p className="flex items-center gap-2 px-4 py-3 text-text-2">
          <StateShape tone="ok" /> Nothing needs you now.
        </p>
      )}
      <ul className={all ? 'max-h-[30rem] overflow-y-auto' : ''} {...onward}>
        {shown.map((row) => (
          <Row key={row.key} row={row} />
        ))}
      </ul>
      {matching.length > first && (
        <div className={footer}>
          <Button variant="quiet" size="small" onClick={() => setAll(!all)} className="max-lg:min-h-12 max-lg:text-14">
            {all ? 'Show the worst only' : `Show all ${matching.length}`}
          </Button>
          {total > rows.length && (
            <span className="text-12 text-text-3">
              The worst {rows.length} are listed; the rest follows as these are settled.
            </span>
          )}
        </div>
      )}
    </Card>
  );
}

function Placeholder({ rows }: { rows: number }) {
  return (
    <Card title="Needs you">
      <div role="status" aria-label="Loading what needs you">
        {Array.from({ length: rows }, (_, n) => (
          <div
            key={`row-${n + 1}`}
            className="flex h-10 items-center gap-4 border-line border-t px-4 first:border-t-0 max-xl:h-18 max-lg:h-30"
          >
            <Skeleton className="h-5 w-16" />
            <Skeleton className="h-4 flex-1" />
          </div>
        ))}
        <div className={`${footer} h-8.25 max-lg:h-14.25`}>
          <Skeleton className="h-4 w-24" />
        </div>
      </div>
    </Card>
  );
}

type ChipsProps = {
  kinds: readonly { kind: Exception['kind']; count: number }[];
  count: number;
  value: Exception['kind'] | null;
  onChange: (kind: Exception['kind'] | null) => void;
};

const chip =
  'inline-flex h-6 items-center whitespace-nowrap rounded-full border border-line-ctl px-2.5 font-medium text-12 text-text-2 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent max-lg:h-12 max-lg:px-4 max-lg:text-14';

function KindChips({ kinds, count, value, onChange }: ChipsProps) {
  return (
    <fieldset aria-label="Show only" className="flex min-w-0 max-w-full flex-wrap gap-2">
      <button type="button" aria-pressed={value === null} onClick={() => onChange(null)} className={chip}>
        All {count}
      </button>
      {kinds.map(({ kind, count: ofKind }) => (
        <button key={kind} type="button" aria-pressed={value === kind} onClick={() => onChange(kind)} className={chip}>
          {kindLabel[kind]} {ofKind}
        </button>
      ))}
    </fieldset>
  );
}

const columns =
  'max-lg:grid-cols-[minmax(0,1fr)_auto] lg:max-xl:min-h-18 lg:max-xl:grid-cols-[5rem_minmax(0,1fr)_minmax(0,1fr)_3.5rem_8.5rem] lg:max-xl:py-1.5 xl:h-10 xl:grid-cols-[5rem_minmax(0,1fr)_minmax(0,1fr)_5.5rem_3.5rem_8.5rem]';

function Row({ row }: { row: Exception }) {
  const now = useNow();
  const age = spanText((now.getTime() - Date.parse(row.since)) / 60_000);
  const route = row.routeDesignation && `Route ${row.routeDesignation}`;
  return (
    <li
      className={`grid items-center gap-x-4 gap-y-1 border-line border-t px-4 first:border-t-0 max-lg:py-3 ${columns}`}
    >
      <span>
        <SeverityBadge severity={row.severity} />
      </span>
      <span
        className="truncate font-medium max-xl:whitespace-normal max-lg:order-2 max-lg:col-span-2"
        title={row.message}
      >
        {row.message}
      </span>
      <span className="min-w-0 text-text-2 max-lg:order-3">
        <Place row={row} />
        <span className="block text-text-3 xl:hidden">{route}</span>
      </span>
      <span className="truncate text-text-2 max-xl:hidden">{route}</span>
      <span className="text-right text-text-3 max-lg:order-1" title={formatDateTime(row.since)}>
        {age}
      </span>
      <span className="flex justify-end max-lg:order-4">
        <Action row={row} />
      </span>
    </li>
  );
}

function Place({ row: { location, place } }: { row: Exception }) {
  if (!location) return <span className="block truncate">{place}</span>;
  return (
    <AppLink href={addressOf(location)} title={place} className="text-link block xl:truncate">
      {place}
    </AppLink>
  );
}

const small = 'max-lg:min-h-12 max-lg:px-4 max-lg:text-14';

function Action({ row }: { row: Exception }) {
  const acknowledge = useAcknowledge();
  const action = actionOf(row, useMay('office:write'));
  if ('href' in action) {
    return (
      <AppLink href={action.href} className={`${buttonClass({ size: 'small' })} ${small}`}>
        {action.label}
      </AppLink>
    );
  }
  const run = (): void =>
    acknowledge.mutate(action.alertId, {
      onSuccess: () => toast({ title: 'Alert acknowledged', description: row.place }),
      onError: (error) =>
        toast({ title: 'Alert not acknowledged', description: sentenceOf(error), variant: 'destructive' }),
    });
  return (
    <Button size="small" pending={acknowledge.isPending} onClick={run} className={small}>
      Acknowledge
    </Button>
  );
}
