import { useMemo } from 'react';
import type { InventoryReport, InventoryReportPage } from '../../contract/reports.ts';
import { countOf, formatMoney, formatNumber } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { ButtonLink } from '../ui/address/button-link.tsx';
import { SectionLink } from '../ui/address/section-link.tsx';
import { Card, StatTile } from '../ui/card.tsx';
import { StateView } from '../ui/state-view.tsx';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { byName, byNumber } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { tableOf } from '../ui/tables/table-file.ts';
import { ChangeText } from './change-text.tsx';
import { percentText, Rows, rowsId, sixTiles } from './report-parts.tsx';
import { type PagedProps, tableProps } from './row-search.tsx';
import type { Taken } from './taken.ts';

export function takeInventory(report: InventoryReport): Taken {
  return {
    data: report,
    table: tableOf(report.lowStock, [
      { header: 'Product', value: (row) => row.productName },
      { header: 'Market', value: (row) => row.marketName },
      { header: 'Current', value: (row) => row.current },
      { header: 'Minimum', value: (row) => row.minimum },
      { header: 'Shortage', value: (row) => row.shortage },
    ]),
  };
}

export function InventoryReportView({ report, table }: { report: InventoryReportPage; table: PagedProps }) {
  const { value, spoiled, missing, soldOutShare: soldOut } = report;
  return (
    <>
      <section aria-label="Figures" className={sixTiles}>
        <StatTile
          label="Total Units"
          value={formatNumber(report.totalUnits)}
          href="/inventory"
          detail={`At the markets; ${formatNumber(report.machineUnits)} more in vending machines`}
        />
        <StatTile
          label="Low Stock"
          value={formatNumber(report.lowStockCount)}
          href="/inventory?stock=low"
          detail={`Items below their minimum${soldOut === null ? '' : `; sold out ${percentText(soldOut)} of the time`}`}
        />
        <StatTile label="Value" value={formatMoney(value.total)} href="/inventory" detail={valueText(value)} />
        <StatTile
          label="Average Stock Level"
          value={report.averageStockLevel === null ? '–' : `${report.averageStockLevel}%`}
          href="/markets?sort=stock"
          detail={report.averageStockLevel === null ? 'No markets' : 'Mean of the markets, of what each should hold'}
        />
        <StatTile
          label="Spoiled"
          value={<SectionLink section={rowsId}>{countOf(spoiled.units, 'unit')}</SectionLink>}
          detail={
            <>
              {formatMoney(spoiled.cost)} at cost. <ChangeText before={spoiled.unitsBefore} now={spoiled.units} />
            </>
          }
        />
        <StatTile
          label="Missing at Counts"
          value={<SectionLink section={rowsId}>{countOf(missing.units, 'unit')}</SectionLink>}
          detail={
            <>
              {formatMoney(missing.cost)} at cost. <ChangeText before={missing.unitsBefore} now={missing.units} />
            </>
          }
        />
      </section>
      <Card title="Low Stock" count={formatNumber(report.lowStock.total)}>
        <PagedTable
          {...tableProps(table, 'shortage')}
          label="Low stock"
          page={report.lowStock}
          columns={lowColumns}
          rowKey={(row) => row.id}
          empty={report.averageStockLevel === null ? <NoItems /> : <NothingLow />}
        />
      </Card>
      <Rows>
        <Card title="Spoiled and Missing" count={report.losses.length}>
          <Losses rows={report.losses} />
        </Card>
      </Rows>
    </>
  );
}

const NothingLow = () => <StateView icon="check" title="No low stock" text="No item is below its minimum." />;

const NoItems = () => (
  <StateView
    icon="box"
    title="No inventory items yet"
    text="What is below its minimum at a market is listed here."
    action={<ButtonLink href="/inventory">Open Inventory</ButtonLink>}
  />
);

function valueText({ atPrice, unvaluedUnits }: InventoryReport['value']): string {
  const parts = [
    toNumber(atPrice) > 0 ? `${formatMoney(atPrice)} of it at price, where no cost is known` : 'At cost',
    unvaluedUnits > 0 ? `${countOf(unvaluedUnits, 'unit')} without cost or price left out` : '',
  ];
  return parts.filter(Boolean).join('; ');
}

type LowRow = InventoryReport['lowStock'][number];

const number = (key: string, header: string, value: (row: LowRow) => number): PagedColumn<LowRow> => ({
  ...{
    key,
    header,
    align: 'right',
    sortBy: key,
    orders: byNumber,
    className: 'w-24 max-xl:w-20 max-sm:w-17 max-sm:px-1',
  },
  cell: (row) => formatNumber(value(row)),
});

const lowColumns: readonly PagedColumn<LowRow>[] = [
  {
    ...{ key: 'product', header: 'Product', sortBy: 'product', orders: byName },
    cell: (row) => (
      <span title={row.productName} className="block min-w-0 py-1">
        <span className="block truncate max-sm:line-clamp-4 max-sm:whitespace-normal">{row.productName}</span>
        <span className="block text-12 whitespace-normal text-text-3 sm:hidden print:hidden">{row.marketName}</span>
      </span>
    ),
  },
  {
    ...{
      key: 'market',
      header: 'Market',
      className: 'max-sm:hidden print:table-cell',
      sortBy: 'market',
      orders: byName,
    },
    cell: (row) => (
      <AppLink href={`/markets/${row.marketId}`} className="text-link">
        {row.marketName}
      </AppLink>
    ),
  },
  number('current', 'Current', (row) => row.current),
  { ...number('minimum', 'Minimum', (row) => row.minimum), className: 'w-24 max-xl:w-20 max-sm:hidden' },
  {
    ...number('shortage', 'Shortage', (row) => row.shortage),
    className: 'w-24 max-sm:w-23 max-sm:pl-1',
    // With a hyphen, which is copied into an order or a spreadsheet as a number.
    cell: (row) => String(row.shortage),
  },
];

type LossRow = InventoryReport['losses'][number];

function Losses({ rows }: { rows: readonly LossRow[] }) {
  const columns = useMemo(
    (): Column<LossRow>[] => [
      {
        key: 'product',
        header: 'Product',
        sortValue: (row) => row.productName,
        cell: (row) => (
          <span title={row.productName} className="block truncate max-sm:line-clamp-4 max-sm:whitespace-normal">
            {row.productName}
          </span>
        ),
      },
      count('spoiled', 'Spoiled', (row) => row.spoiled),
      count('missing', 'Missing', (row) => row.missing),
      {
        ...{ key: 'cost', header: 'Cost', align: 'right', className: 'w-28 max-sm:w-20' },
        sortValue: (row) => toNumber(row.cost ?? '0'),
        cell: (row) => (row.cost === null ? 'Not known' : formatMoney(row.cost)),
      },
    ],
    [],
  );
  return (
    <DataTable
      label="Spoiled and missing"
      name="losses"
      rows={rows}
      columns={columns}
      rowKey={(row) => row.productName}
      initialSort={{ key: 'cost', down: true }}
      empty={<StateView icon="check" title="Nothing spoiled and nothing missing" text="In the days chosen." />}
    />
  );
}

const count = (key: string, header: string, value: (row: LossRow) => number): Column<LossRow> => ({
  ...{ key, header, align: 'right', sortValue: value, className: 'w-24 max-sm:w-16 max-sm:px-1' },
  cell: (row) => formatNumber(value(row)),
});
