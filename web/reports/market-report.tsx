import { useMemo } from 'react';
import type { MarketReport } from '../../contract/reports.ts';
import { type LevelBand, levelBand } from '../../domain/stock-status.ts';
import { formatMoney, formatNumber } from '../http/format.ts';
import { operatorRules } from '../http/operator-rules.ts';
import { AppLink } from '../ui/app-link.tsx';
import type { Tone } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Meter } from '../ui/meter.tsx';
import { StateView } from '../ui/state-view.tsx';
import { LocationStatusBadge } from '../ui/status-badge.tsx';
import { tableOf } from '../ui/table-file.ts';
import { percentText } from './report-parts.tsx';
import type { Taken } from './taken.ts';

const toneOf: Record<LevelBand, Tone> = { danger: 'bad', warning: 'warn', healthy: 'ok' };

export function takeMarkets(report: MarketReport): Taken {
  return {
    data: report,
    table: tableOf(report.markets, [
      { header: 'Market', value: (row) => row.name },
      { header: 'Status', value: (row) => row.status },
      { header: 'Stock level', value: (row) => row.stockLevel },
      { header: 'Items', value: (row) => row.items },
      { header: 'Low stock', value: (row) => row.lowStockCount },
      { header: 'Units sold', value: (row) => row.units },
      { header: 'Sales', value: (row) => row.amount },
      { header: 'Sales before', value: (row) => row.amountBefore },
      { header: 'Margin', value: (row) => row.margin },
      { header: 'Sold out share', value: (row) => row.soldOutShare },
    ]),
  };
}

type Row = MarketReport['markets'][number];

const money = (key: string, header: string, value: (row: Row) => string, hidden = ''): Column<Row> => ({
  ...{ key, header, align: 'right', className: `w-28 ${hidden}` },
  sortValue: (row) => Number(value(row)),
  cell: (row) => formatMoney(value(row)),
});

export function MarketReportView({ report }: { report: MarketReport }) {
  const columns = useMemo(
    (): Column<Row>[] => [
      {
        ...{ key: 'market', header: 'Market', sortValue: (row: Row) => row.name },
        cell: (row) => (
          <AppLink href={`/markets/${row.id}`} className="hover:text-accent hover:underline">
            {row.name}
          </AppLink>
        ),
      },
      {
        ...{ key: 'status', header: 'Status', className: 'w-32 max-sm:hidden', sortValue: (row: Row) => row.status },
        cell: (row) => <LocationStatusBadge status={row.status} />,
      },
      {
        ...{
          key: 'level',
          header: 'Stock Level',
          className: 'w-40 max-sm:w-24',
          sortValue: (row: Row) => row.stockLevel,
        },
        cell: ({ name, stockLevel }) => (
          <Meter
            percent={stockLevel}
            tone={toneOf[levelBand(stockLevel, operatorRules())]}
            label={`Stock level of ${name}`}
            width={72}
          />
        ),
      },
      {
        ...{
          key: 'items',
          header: 'Items',
          align: 'right' as const,
          className: 'w-28',
          sortValue: (row: Row) => row.items,
        },
        cell: (row) => `${formatNumber(row.items)}, ${formatNumber(row.lowStockCount)} low`,
      },
      money('sales', 'Sales', (row) => row.amount),
      money('before', 'Before', (row) => row.amountBefore, 'max-lg:hidden'),
      money('margin', 'Margin', (row) => row.margin, 'max-lg:hidden'),
      {
        ...{ key: 'out', header: 'Sold Out', align: 'right' as const, className: 'w-24 max-lg:hidden' },
        sortValue: (row) => row.soldOutShare ?? -1,
        cell: (row) => percentText(row.soldOutShare),
      },
    ],
    [],
  );
  return (
    <Card
      title="Markets"
      count={report.markets.length}
      footer="Margin counts what has a known cost. Sold Out is the share of the time that items were empty."
    >
      <DataTable
        label="Markets"
        rows={report.markets}
        columns={columns}
        rowKey={(row) => row.id}
        initialSort={{ key: 'sales', down: true }}
        empty={<StateView icon="market" title="No markets" text="Add a market on the Markets screen." />}
      />
    </Card>
  );
}
