import type { NayaxMomaAnalytics } from '../../contract/moma.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { methodText } from '../../domain/payment.ts';
import { relativeTime } from '../../domain/time.ts';
import { sumOfMoney } from '../../domain/units.ts';
import { countOf, formatDateTime, formatDay, formatMoney, formatMoneyMark, formatNumber } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { PartnerRest } from '../integrations/partner-rest.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { ColumnChart } from '../ui/charts/column-chart.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { Select } from '../ui/forms/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { BarList } from '../ui/tables/bar-list.tsx';
import { type Span, useAnalytics } from './api.ts';

const spans: readonly { value: Span; label: string }[] = [
  { value: 'all', label: 'Both' },
  { value: 'nayax', label: 'Nayax Core' },
  { value: 'moma', label: 'MoMa 2.0' },
];
const dayChoices = ['1', '7', '30', '90'].map((value) => ({
  value,
  label: value === '1' ? 'Today' : `Last ${value} days`,
}));

/** How people pay, and how the connections are: figures of stored rows alone. */
export function AnalyticsTab() {
  const { get, set } = useAddress();
  const system = spans.find(({ value }) => value === get('system'))?.value ?? 'all';
  const days = dayChoices.find(({ value }) => value === get('days'))?.value ?? '30';
  const { data, error, refetch, isPlaceholderData } = useAnalytics(system, Number(days));
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented label="System" options={spans} value={system} onChange={(value) => set({ system: value })} />
        <Select label="Days" hideLabel options={dayChoices} value={days} onChange={(value) => set({ days: value })} />
        {system === 'all' && <p className="text-text-3">A transaction that both systems tell of counts once.</p>}
      </div>
      {error && !data && (
        <Card>
          <FailedView error={error} retry={() => void refetch()} title="The analytics did not load" />
        </Card>
      )}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data && (
        <div className={`grid gap-4 ${isPlaceholderData ? 'opacity-70' : ''}`}>
          <div className="grid grid-cols-2 items-start gap-4 max-lg:grid-cols-1">
            <Methods data={data} />
            <Days data={data} />
          </div>
          <Health health={data.health} />
        </div>
      )}
    </div>
  );
}

function Methods({ data: { methods, open } }: { data: NayaxMomaAnalytics }) {
  const total = sumOfMoney(methods.map(({ amount }) => amount));
  const count = methods.reduce((sum, one) => sum + one.transactions, 0);
  const most = Math.max(0.01, ...methods.map(({ amount }) => toNumber(amount)));
  return (
    <Card
      title="Payment methods"
      footer={`${formatNumber(count)} completed, ${formatMoney(total)}. Not among them: ${formatNumber(open.pending)} pending, ${formatNumber(open.failed)} failed.`}
    >
      {methods.length === 0 ? (
        <StateView
          icon="card"
          title="No transactions in these days"
          text="Sync a configuration, or choose more days."
        />
      ) : (
        <div className="p-4">
          <BarList
            rows={methods.map(({ method, transactions, amount }) => ({
              label: methodText(method),
              value: `${formatMoney(amount)} · ${percent(toNumber(amount), toNumber(total))} · ${countOf(transactions, 'sale')}`,
              share: Math.max(0, toNumber(amount)) / most,
            }))}
          />
        </div>
      )}
    </Card>
  );
}

const percent = (part: number, whole: number): string => `${whole > 0 ? Math.round((100 * part) / whole) : 0}%`;

function Days({ data: { perDay } }: { data: NayaxMomaAnalytics }) {
  if (perDay.every(({ amount }) => toNumber(amount) === 0)) return null;
  const points = perDay.map(({ day, amount }) => ({
    key: day,
    label: formatDay(day),
    value: toNumber(amount),
    text: formatMoney(amount),
  }));
  return (
    <Card title="Revenue by day">
      <div className="p-4">
        <ColumnChart
          label="Revenue by day"
          points={points}
          columns={['Day', 'Revenue']}
          scale={(value) => formatMoneyMark(value)}
        />
      </div>
    </Card>
  );
}

type Connection = NayaxMomaAnalytics['health'][number];

const states: Record<Connection['state'], { tone: Tone; label: string }> = {
  working: { tone: 'ok', label: 'Working' },
  failing: { tone: 'bad', label: 'Failing' },
  waiting: { tone: 'idle', label: 'Waiting' },
  new: { tone: 'warn', label: 'Never synced' },
  inactive: { tone: 'idle', label: 'Switched off' },
};

function Health({ health }: { health: readonly Connection[] }) {
  const active = health.filter(({ state }) => state !== 'inactive');
  const failing = active.filter(({ state }) => state === 'failing');
  const told = failing.length
    ? `${failing.length} of ${active.length} failing`
    : `${active.length} of ${active.length} well`;
  return (
    <Card title="System health" {...(active.length > 0 ? { count: told } : {})}>
      {health.length === 0 ? (
        <StateView icon="plug" title="Nothing is connected" text="Add a configuration of Nayax Core or MoMa 2.0." />
      ) : (
        <ul>
          {health.map((one) => (
            <HealthRow key={one.configId} one={one} />
          ))}
        </ul>
      )}
    </Card>
  );
}

const resourceNames: Record<string, string> = { devices: 'Machines', stock: 'Stock', sales: 'Sales', alerts: 'Alerts' };

function HealthRow({ one }: { one: Connection }) {
  const { tone, label } = states[one.state];
  const { active, offline, inactive } = one.devices;
  return (
    <li className="grid gap-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="mr-auto min-w-0 font-medium">
          {one.name} <span className="font-normal text-text-3">{systemLabel[one.system]}</span>
        </span>
        <span className="text-12 text-text-3">
          {one.runs === 0
            ? 'No sync in the last 24 hours'
            : `${formatNumber(one.runs - one.failedRuns)} of ${countOf(one.runs, 'sync')} went well in 24 hours`}
        </span>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {one.problem && one.state === 'failing' && <p className="text-bad-text">{one.problem}</p>}
      {one.state === 'waiting' && <PartnerRest system={one.system} until={one.waitsUntil} className="text-text-2" />}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-12 text-text-2">
        <span>
          {formatNumber(active)} active, {formatNumber(offline)} offline, {formatNumber(inactive)} inactive
        </span>
        {one.fresh.map(({ resource, lastGoodAt }) => (
          <span key={resource} title={lastGoodAt ? formatDateTime(lastGoodAt) : undefined}>
            {resourceNames[resource] ?? resource}:{' '}
            {lastGoodAt ? `read ${relativeTime(new Date(lastGoodAt), new Date()).toLowerCase()}` : 'never read'}
          </span>
        ))}
        {one.rejectedDeliveries > 0 && <span>{countOf(one.rejectedDeliveries, 'notification')} rejected</span>}
      </p>
    </li>
  );
}
