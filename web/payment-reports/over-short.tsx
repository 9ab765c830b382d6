import type { ReconciliationReport } from '../../contract/reconciliation.ts';
import { formatMoney, formatNumber } from '../http/format.ts';
import { Card } from '../ui/card.tsx';

type Row = ReconciliationReport['byRoute'][number];

const heads = ['Bags', 'Expected', 'Counted', 'Difference'];
const figure = 'py-2 pl-2 text-right align-top tabular-nums last:pr-4 sm:pl-6';

/** What the bags of a route or a driver held, against what was sold. */
export function OverShort({ by, rows }: { by: 'route' | 'driver'; rows: readonly Row[] }) {
  const title = `Over and short by ${by}`;
  return (
    <Card title={title}>
      <table aria-label={title} className="w-full border-collapse max-sm:text-12">
        <thead className="bg-subtle text-12 text-text-3">
          <tr className="border-line border-b">
            <th scope="col" className="h-8 w-full pl-4 text-left font-medium">
              {by === 'route' ? 'Route' : 'Driver'}
            </th>
            {heads.map((head) => (
              <th key={head} scope="col" className="h-8 pl-2 text-right font-medium last:pr-4 sm:pl-6">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className="border-line border-b last:border-b-0">
              <th scope="row" className="wrap-anywhere py-2 pl-4 text-left font-normal">
                {row.name}
              </th>
              <td className={figure}>{formatNumber(row.bags)}</td>
              <td className={figure}>{formatMoney(row.expected)}</td>
              <td className={figure}>{formatMoney(row.counted)}</td>
              <td className={figure}>{formatMoney(row.difference)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
