import type { MarketReport } from '../../contract/reports.ts';
import { type LevelBand, levelBand } from '../../domain/stock-status.ts';
import { countOf, foreignText, formatMoney, formatNumber } from '../http/format.ts';
import { operatorRules } from '../http/operator-rules.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import type { Tone } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Meter } from '../ui/charts/meter.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { StateView } from '../ui/state-view.tsx';
import { LocationStatusBadge } from '../ui/status-badge.tsx';
import { byName, byNumber } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { tableOf } from '../ui/tables/table-file.ts';
import { everyMarket } from './api.ts';
import { percentText } from './report-parts.tsx';
import { type PagedProps, RowSearch, tableProps } from './row-search.tsx';
import { shareInFile, type Taken } from './taken.ts';
import type { Wish } from './wish.ts';

const toneOf: Record<LevelBand, Tone> = { danger: 'bad', warning: 'warn', healthy: 'ok' };

export async function takeMarkets(report: MarketReport, wish: Wish): Promise<Taken> {
  const markets = await everyMarket(wish);
  return {
    data: { ...report, markets },
    table: tableOf(markets, [
      { header: 'Market', value: (row) => row.name },
      { header: 'Status', value: (row) => row.status },
      { header: 'Stock level', value: (row) => row.stockLevel },
      { header: 'Items', value: (row) => row.items },
      { header: 'Low stock', value: (row) => row.lowStockCount },
      { header: 'Units sold', value: (row) => row.units },
      { header: 'Sales', value: (row) => row.amount },
      { header: 'Sales before', value: (row) => row.amountBefore },
      { header: 'Margin', value: (row) => row.margin },
      { header: 'Sold out share', value: (row) => shareInFile(row.soldOutShare) },
    ]),
  };
}

type Row = MarketReport['markets']['rows'][number];

/** A sheet pads its cells thinly: figures that end where the next ones begin would be read as one. */
const onPaper = 'print:pl-4! print:whitespace-nowrap!';

const money = (key: string, header: string, value: (row: Row) => string, hidden = ''): PagedColumn<Row> => ({
  ...{ key, header, align: 'right', className: `w-28 max-sm:pr-4 ${onPaper} ${hidden}`, sortBy: key, orders: byNumber },
  cell: (row) => formatMoney(value(row)),
});

const itemsText = ({ items, lowStockCount }: Row): string =>
  `${formatNumber(items)}, ${formatNumber(lowStockCount)} low`;

const columns: readonly PagedColumn<Row>[] = [
  {
    ...{ key: 'market', header: 'Market', sortBy: 'name', orders: byName },
    cell: (row) => (
      <span className="block min-w-0 py-1">
        <AppLink href={`/markets/${row.id}`} className="text-link max-sm:block max-sm:whitespace-normal">
          {row.name}
        </AppLink>
        <span className="block truncate text-12 text-text-3 xl:hidden print:hidden">
          {countOf(row.items, 'item')}, {formatNumber(row.lowStockCount)} low
        </span>
      </span>
    ),
  },
  {
    ...{
      key: 'status',
      header: 'Status',
      className: 'w-32 max-sm:hidden lg:max-xl:hidden',
      sortBy: 'status',
      orders: byName,
    },
    cell: (row) => <LocationStatusBadge status={row.status} />,
  },
  {
    ...{
      key: 'level',
      header: 'Stock Level',
      className: 'w-40 max-xl:w-36 max-sm:w-26 print:pl-4!',
      sortBy: 'level',
      orders: byNumber,
    },
    cell: ({ name, stockLevel }) => (
      <span className="print:[&_[role=meter]]:w-8!">
        <Meter
          percent={stockLevel}
          tone={toneOf[levelBand(stockLevel, operatorRules())]}
          label={`Stock level of ${name}`}
          width={72}
        />
      </span>
    ),
  },
  {
    ...{ key: 'items', header: 'Items', align: 'right', sortBy: 'items', orders: byNumber },
    className: `w-28 max-xl:hidden print:table-cell ${onPaper}`,
    cell: itemsText,
  },
  money('sales', 'Sales', (row) => row.amount),
  money('before', 'Before', (row) => row.amountBefore, 'max-[87rem]:hidden'),
  money('margin', 'Margin', (row) => row.margin, 'max-lg:hidden'),
  {
    ...{
      key: 'out',
      header: 'Sold Out',
      align: 'right',
      className: `w-24 max-lg:hidden ${onPaper}`,
      sortBy: 'out',
      orders: byNumber,
    },
    cell: (row) => percentText(row.soldOutShare),
  },
];

/** Zeros alone leave open whether nothing was sold or nothing is known. */
function nothingSold({ markets: { rows } }: MarketReport): string {
  return rows.length > 0 && rows.every(({ units }) => units === 0)
    ? 'No market shown sold anything in these days. '
    : '';
}

export function MarketReportView({ report, table }: { report: MarketReport; table: PagedProps }) {
  return (
    <Card
      title="Markets"
      count={formatNumber(report.markets.total)}
      actions={<RowSearch placeholder="Search markets" />}
      footer={`${nothingSold(report)}Margin counts what has a known cost${foreignText(report.foreignUnits)}. Sold Out is the share of the time that items were empty.`}
    >
      <PagedTable
        {...tableProps(table)}
        label="Markets"
        page={report.markets}
        columns={columns}
        rowKey={(row) => row.id}
        empty={
          table.wish.search ? (
            <StateView
              icon="search"
              title="No market matches"
              text="Search for something else."
              action={<ClearFilters onClear={() => table.set({ q: null, page: null })} />}
            />
          ) : (
            <StateView
              icon="market"
              title="No markets"
              text="Add a market on the Markets screen."
              action={
                <AppLink href="/markets" className={`${buttonClass()} max-lg:min-h-12`}>
                  Open Markets
                </AppLink>
              }
            />
          )
        }
      />
    </Card>
  );
}
