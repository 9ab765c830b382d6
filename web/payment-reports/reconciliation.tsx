import { useState } from 'react';
import type { CashBag, PaymentDifference, ReconciliationReport } from '../../contract/reconciliation.ts';
import { useMay } from '../auth/api.ts';
import { countOf, formatDate, formatDay, formatMoney, formatNumber } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card, StatTile } from '../ui/card.tsx';
import { StatPlaceholders, statGrid } from '../ui/stat-grid.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { BagCount } from './bag-count.tsx';
import { OverShort } from './over-short.tsx';
import { PayoutUpload } from './payout-upload.tsx';
import { useReconciliation, useReopen, useSettle } from './reconciliation-api.ts';
import type { Wish } from './wish.ts';

/** Books, card payments, payouts and bags against each other. */
export function Reconciliation({ wish }: { wish: Wish }) {
  const { data, error, refetch } = useReconciliation(wish);
  const mayWrite = useMay('office:write');
  if (error && !data) {
    return (
      <Card>
        <FailedView error={error} retry={() => void refetch()} title="The reconciliation did not load" />
      </Card>
    );
  }
  if (!data) return <StatPlaceholders />;
  return (
    <>
      <section aria-label="Figures" className={statGrid}>
        <StatTile
          label="Not reconciled"
          value={formatMoney(data.openAmount)}
          detail={`${formatNumber(data.open)} open, ${formatNumber(data.settled)} accepted`}
        />
        <StatTile label="Sales in the books" value={formatNumber(data.sales)} detail="Cashless, at connected places" />
        <StatTile label="Card payments" value={formatNumber(data.payments)} detail={paymentsText(data)} />
        <StatTile
          label="Payout lines"
          value={formatNumber(data.payouts)}
          detail={data.payouts === 0 ? 'Import a payout file to compare' : 'From payout files'}
        />
      </section>
      <Card
        title="Differences"
        count={formatNumber(data.differences.length)}
        actions={mayWrite ? <PayoutUpload /> : undefined}
      >
        {data.salesFrom !== null && (
          <p className="border-line border-b px-4 py-3 text-text-2">
            Sales before {formatDay(data.salesFrom)} were moved to files. Payments of those days are compared with
            payouts only.
          </p>
        )}
        <Differences report={data} mayWrite={mayWrite} />
      </Card>
      <Bags report={data} mayWrite={mayWrite} />
    </>
  );
}

/** What became of the payments: those that are neither matched nor different are named. */
function paymentsText({ pairs, pending, failed }: ReconciliationReport): string {
  const others = Object.entries({ pending, failed }).filter(([, count]) => count > 0);
  return [['matched', pairs] as const, ...others].map(([word, count]) => `${formatNumber(count)} ${word}`).join(', ');
}

/** Differences and bags shown at first, and at each wish for more. */
const step = 25;

function ShowMore({ onMore }: { onMore: () => void }) {
  return (
    <div className="border-line border-t p-4 print:hidden">
      <Button onClick={onMore} className="max-lg:min-h-12">
        Show More
      </Button>
    </div>
  );
}

function Differences({ report, mayWrite }: { report: ReconciliationReport; mayWrite: boolean }) {
  const [most, setMost] = useState(step);
  if (report.differences.length === 0) {
    const isEmpty = report.sales + report.payments + report.payouts === 0;
    return (
      <StateView
        icon={isEmpty ? 'card' : 'check'}
        title={isEmpty ? 'Nothing to compare in these days' : 'Everything matches'}
        text={
          isEmpty
            ? 'Connect a payment system or import a payout file. Sales at places without a reader or till are not compared.'
            : undefined
        }
      />
    );
  }
  return (
    <>
      <ul>
        {report.differences.slice(0, most).map((one) => (
          <DifferenceRow key={one.key} one={one} mayWrite={mayWrite} />
        ))}
      </ul>
      {report.differences.length > most && <ShowMore onMore={() => setMost(most + step)} />}
    </>
  );
}

const placeHref = ({ type, id }: NonNullable<PaymentDifference['location']>): string =>
  type === 'market' ? `/markets/${id}` : `/vending-machines/${id}`;

const ageText = (days: number): string => (days === 0 ? 'today' : `${countOf(days, 'day')} old`);

function DifferenceRow({ one, mayWrite }: { one: PaymentDifference; mayWrite: boolean }) {
  const settle = useSettle();
  const reopen = useReopen();
  const { key, kind, at, settled } = one;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{one.title}</span>
          {settled ? <Badge tone="idle">Accepted</Badge> : <Badge tone={one.ageDays > 7 ? 'bad' : 'warn'}>Open</Badge>}
        </p>
        <p className="text-12 text-text-3">
          {one.reference} · {formatDate(one.at)}, {ageText(one.ageDays)}
          {one.location && (
            <>
              {' · '}
              <AppLink href={placeHref(one.location)} className="hover:text-accent hover:underline">
                {one.location.name}
              </AppLink>
            </>
          )}
        </p>
        <p className="text-text-2">{settled ? acceptedText(settled) : one.cause}</p>
      </div>
      <span className="font-semibold">{formatMoney(one.amount)}</span>
      {mayWrite && (
        <span className="print:hidden">
          {settled ? (
            <Button
              icon="undo"
              pending={reopen.isPending}
              onClick={() => reopen.mutate(key)}
              className="max-lg:min-h-12"
            >
              Reopen
            </Button>
          ) : (
            <Button
              icon="check"
              pending={settle.isPending}
              onClick={() => settle.mutate({ key, kind, at })}
              className="max-lg:min-h-12"
            >
              {one.resolution}
            </Button>
          )}
        </span>
      )}
    </li>
  );
}

function acceptedText({ by, at, note }: NonNullable<PaymentDifference['settled']>): string {
  return `Accepted${by ? ` by ${by}` : ''} on ${formatDate(at)}${note ? `: ${note}` : ''}`;
}

function Bags({ report: { bags, byRoute, byDriver }, mayWrite }: { report: ReconciliationReport; mayWrite: boolean }) {
  const [most, setMost] = useState(step);
  return (
    <>
      <Card title="Cash bags" count={formatNumber(bags.length)}>
        {bags.length === 0 && (
          <StateView
            icon="box"
            title="No bags in these days"
            text="Drivers note the number of a bag with their visit."
          />
        )}
        <ul>
          {bags.slice(0, most).map((bag) => (
            <BagRow key={bag.visitId} bag={bag} mayWrite={mayWrite} />
          ))}
        </ul>
        {bags.length > most && <ShowMore onMore={() => setMost(most + step)} />}
      </Card>
      {byRoute.length > 0 && (
        <div className="grid grid-cols-2 gap-4 max-xl:grid-cols-1">
          <OverShort by="route" rows={byRoute} />
          <OverShort by="driver" rows={byDriver} />
        </div>
      )}
    </>
  );
}

const notExpected = ({ since }: CashBag): string => (since === null ? 'First bag' : 'Sales are in files');

function BagRow({ bag, mayWrite }: { bag: CashBag; mayWrite: boolean }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere font-medium">
          {bag.bagNumber} · {bag.location?.name ?? 'Unknown place'}
        </p>
        <p className="text-12 text-text-3">
          {formatDate(bag.at)}
          {bag.driver && ` · ${bag.driver}`}
        </p>
      </div>
      <dl className="grid text-right max-sm:text-left">
        <dt className="text-12 text-text-3">Expected</dt>
        <dd className="tabular-nums">{bag.expected === null ? notExpected(bag) : formatMoney(bag.expected)}</dd>
      </dl>
      {bag.difference !== null && (
        <Badge tone={toNumber(bag.difference) === 0 ? 'ok' : 'warn'}>
          {toNumber(bag.difference) === 0
            ? 'Matches'
            : `${formatMoney(bag.difference)} ${toNumber(bag.difference) < 0 ? 'short' : 'over'}`}
        </Badge>
      )}
      <BagCount bag={bag} mayWrite={mayWrite} />
    </li>
  );
}
