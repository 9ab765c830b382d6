import type { PaymentReport } from '../../contract/payments.ts';
import { paymentSource } from '../../domain/payment.ts';
import { addDays } from '../../domain/time.ts';
import { formatDay, formatMoney, formatMoneyMark } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { Card } from '../ui/card.tsx';
import { ChartFrame, niceTop } from '../ui/charts/frame.tsx';

const fills = ['fill-series-1', 'fill-series-2', 'fill-series-3', 'fill-series-4', 'fill-series-5', 'fill-previous'];
const backgrounds = ['bg-series-1', 'bg-series-2', 'bg-series-3', 'bg-series-4', 'bg-series-5', 'bg-previous'];

/** Colour of a system by its place among those shown; the same in each chart and table of the screen. */
export const seriesOf = (at: number): string => backgrounds[Math.min(at, backgrounds.length - 1)] ?? 'bg-previous';

type Day = { key: string; label: string; value: number; text: string; systems: Record<string, string> };

/** Every day of the range, also those without a payment. */
function daysOf({ range, days }: PaymentReport): Day[] {
  const told = new Map(days.map((day) => [day.key, day]));
  const all: Day[] = [];
  for (let key = range.from; key <= range.to; key = addDays(key, 1)) {
    const day = told.get(key);
    const revenue = day?.revenue ?? '0.00';
    const label = formatDay(key);
    all.push({ key, label, value: toNumber(revenue), text: formatMoney(revenue), systems: day?.systems ?? {} });
  }
  return all;
}

/** What came in day by day, a colour a system. */
export function SystemDays({ report }: { report: PaymentReport }) {
  const systems = report.systems.map((one) => one.system);
  const days = daysOf(report);
  const top = niceTop(Math.max(0, ...days.map((day) => day.value)));
  return (
    <Card
      title="Revenue by day"
      actions={
        systems.length > 1 ? (
          <ul className="flex flex-wrap gap-x-4 text-12 text-text-3">
            {systems.map((system, at) => (
              <li key={system} className="flex items-center gap-1.5">
                <i aria-hidden className={`block size-2.5 rounded-[2px] ${seriesOf(at)}`} />
                {paymentSource(system)}
              </li>
            ))}
          </ul>
        ) : undefined
      }
    >
      <div className="p-4">
        <ChartFrame
          label="Revenue by day"
          points={days}
          top={top}
          scale={(value) => formatMoneyMark(value)}
          columns={['Day', 'Revenue']}
        >
          {days.map((day, at) => (
            <g key={day.key}>
              {stacked(day, systems).map(({ system, from, amount }) => (
                <rect
                  key={system}
                  x={at * 10 + 1.2}
                  width={7.6}
                  y={100 - (100 * (from + amount)) / top}
                  height={(100 * amount) / top}
                  className={fills[Math.min(systems.indexOf(system), fills.length - 1)] ?? 'fill-previous'}
                />
              ))}
              <rect x={at * 10} width={10} y={0} height={100} fill="transparent">
                <title>{titleOf(day, systems)}</title>
              </rect>
            </g>
          ))}
        </ChartFrame>
      </div>
    </Card>
  );
}

/** A system that gave back more than it took in stands on no column. */
function stacked({ systems: amounts }: Day, systems: readonly string[]) {
  let from = 0;
  return systems.flatMap((system) => {
    const amount = Math.max(0, toNumber(amounts[system] ?? '0'));
    const part = { system, from, amount };
    from += amount;
    return amount > 0 ? [part] : [];
  });
}

function titleOf(day: Day, systems: readonly string[]): string {
  const parts = systems.flatMap((system) => {
    const amount = day.systems[system];
    return amount === undefined ? [] : [`${paymentSource(system)} ${formatMoney(amount)}`];
  });
  return [`${formatDay(day.key)}: ${day.text}`, ...(parts.length > 1 ? parts : [])].join('\n');
}
