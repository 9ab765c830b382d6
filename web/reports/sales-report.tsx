import { useMemo } from 'react';
import type { SalesReport } from '../../contract/reports.ts';
import { changeSince, type SalesGroup, salesGroups } from '../../domain/report.ts';
import { shareOfMoney } from '../../domain/units.ts';
import { useMay } from '../auth/api.ts';
import { foreignText, formatMoney, formatMoneyMark, formatNumber, trueMinus } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { ButtonLink } from '../ui/address/button-link.tsx';
import { SectionLink } from '../ui/address/section-link.tsx';
import { Card, StatTile } from '../ui/card.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { Select } from '../ui/forms/select.tsx';
import { StateView } from '../ui/state-view.tsx';
import { byName, byNumber } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { tableOf } from '../ui/tables/table-file.ts';
import { everySalesRow } from './api.ts';
import { ChangeText } from './change-text.tsx';
import { DayChart } from './day-chart.tsx';
import { fourTiles, percentText, Rows, rowsId } from './report-parts.tsx';
import { type PagedProps, RowSearch, tableProps } from './row-search.tsx';
import { shareInFile, type Taken } from './taken.ts';
import type { Wish } from './wish.ts';

const groupLabel: Record<SalesGroup, string> = {
  product: 'Product',
  category: 'Category',
  route: 'Route',
  location: 'Location',
  machine: 'Vending Machine',
};

const groupPlural: Record<SalesGroup, string> = {
  product: 'products',
  category: 'categories',
  route: 'routes',
  location: 'locations',
  machine: 'vending machines',
};

export async function takeSales({ groups: _, ...report }: SalesReport, wish: Wish): Promise<Taken> {
  const rows = await everySalesRow(wish);
  return {
    data: { ...report, rows },
    table: tableOf(rows, [
      { header: groupLabel[report.by], value: nameOf },
      { header: 'Units', value: (row) => row.units },
      { header: 'Sales', value: (row) => row.amount },
      { header: 'Sales before', value: (row) => row.amountBefore },
      { header: 'Margin', value: (row) => row.margin },
      { header: 'Sold out share', value: (row) => shareInFile(row.soldOutShare) },
    ]),
  };
}

type Row = SalesReport['groups']['rows'][number];

const nameOf = (row: Row): string => row.label || 'None';

type Props = { report: SalesReport; table: PagedProps };

function NoSales() {
  const mayWrite = useMay('office:write');
  return (
    <Card>
      <StateView
        icon="chart"
        title="No sales in these days"
        text="Choose other days, or import sales from your vendor's files."
        action={mayWrite && <ButtonLink href="/import?kind=sales">Import sales</ButtonLink>}
      />
    </Card>
  );
}

export function SalesReportView({ report, table }: Props) {
  const amount = toNumber(report.amount);
  const costed = toNumber(report.costedAmount);
  const ownUnits = report.units - report.foreignUnits;
  if (report.days.length === 0) return <NoSales />;
  return (
    <>
      <section aria-label="Figures" className={fourTiles}>
        <StatTile
          label="Sales"
          value={<SectionLink section={rowsId}>{formatMoney(report.amount)}</SectionLink>}
          detail={<ChangeText before={toNumber(report.amountBefore)} now={amount} />}
        />
        <StatTile
          label="Units"
          value={<SectionLink section={rowsId}>{formatNumber(report.units)}</SectionLink>}
          detail={<ChangeText before={report.unitsBefore} now={report.units} />}
        />
        <StatTile
          label="Mean Price"
          value={
            ownUnits === 0 ? (
              '–'
            ) : (
              <SectionLink section={rowsId}>{formatMoney(shareOfMoney(report.amount, ownUnits))}</SectionLink>
            )
          }
          detail={`A unit${foreignText(report.foreignUnits)}`}
        />
        <StatTile
          label="Margin"
          value={
            costed === 0 ? (
              '–'
            ) : (
              <SectionLink section={rowsId}>{percentText(toNumber(report.margin) / costed)}</SectionLink>
            )
          }
          detail={
            costed === 0
              ? `Nothing sold has a known cost${foreignText(report.foreignUnits)}`
              : `${formatMoney(report.margin)} of ${formatMoney(report.costedAmount)} with a known cost${foreignText(report.foreignUnits)}`
          }
        />
      </section>
      <DayChart
        title="Sales by day"
        days={report.days.map(({ day, amount, amountBefore }) => ({
          ...{ day, value: toNumber(amount), other: toNumber(amountBefore) },
          texts: [formatMoney(amount), formatMoney(amountBefore)],
        }))}
        label="Sales"
        otherLabel="Time before"
        scale={(value) => formatMoneyMark(value)}
      />
      <Rows>
        <Card
          title={`Sales by ${groupLabel[report.by].toLowerCase()}`}
          count={formatNumber(report.groups.total)}
          actions={
            <span className="flex gap-2 max-sm:w-full max-sm:flex-wrap print:hidden">
              <RowSearch placeholder={`Search ${groupPlural[report.by]}`} />
              <Select
                label="Group by"
                hideLabel
                value={report.by}
                onChange={(by) => table.set({ by })}
                options={salesGroups.map((value) => ({ value, label: `By ${groupLabel[value].toLowerCase()}` }))}
              />
            </span>
          }
        >
          <Groups report={report} table={table} />
        </Card>
      </Rows>
    </>
  );
}

function Groups({ report: { by, groups }, table }: Props) {
  const columns = useMemo((): PagedColumn<Row>[] => {
    const figure = (key: string, header: string, value: (row: Row) => string, hidden = ''): PagedColumn<Row> => ({
      ...{
        key,
        header,
        align: 'right',
        className: `w-28 max-sm:w-26 max-sm:pr-4 ${hidden}`,
        sortBy: key,
        orders: byNumber,
      },
      cell: (row) => formatMoney(value(row)),
    });
    return [
      { key: 'name', header: groupLabel[by], sortBy: 'name', orders: byName, cell: (row) => <Name row={row} /> },
      {
        ...{ key: 'units', header: 'Units', align: 'right', className: 'w-20', sortBy: 'units', orders: byNumber },
        cell: (row) => formatNumber(row.units),
      },
      figure('sales', 'Sales', (row) => row.amount),
      {
        ...{
          key: 'change',
          header: 'Change',
          align: 'right',
          className: 'w-24 max-md:hidden',
          sortBy: 'change',
          orders: byNumber,
        },
        cell: changeOf,
      },
      figure('margin', 'Margin', (row) => row.margin, 'max-lg:hidden'),
      {
        ...{
          key: 'out',
          header: 'Sold Out',
          align: 'right',
          className: 'w-24 max-md:hidden',
          sortBy: 'out',
          orders: byNumber,
        },
        cell: (row) => percentText(row.soldOutShare),
      },
    ];
  }, [by]);
  return (
    <PagedTable
      {...tableProps(table)}
      label="Sales"
      page={groups}
      columns={columns}
      rowKey={(row) => row.key}
      empty={
        table.wish.search ? (
          <StateView
            icon="search"
            title="Nothing is called so"
            text="Search for something else."
            action={<ClearFilters onClear={() => table.set({ q: null, page: null })} />}
          />
        ) : (
          <StateView icon="chart" title="Nothing to group" text="No slot or item belongs to this choice." />
        )
      }
    />
  );
}

/** A long name takes a second line where the column is narrow. */
const phoneName = 'max-sm:block max-sm:whitespace-normal max-sm:py-2';

function Name({ row }: { row: Row }) {
  if (!row.location) return <span className={phoneName}>{nameOf(row)}</span>;
  const folder = row.location.type === 'market' ? 'markets' : 'vending-machines';
  return (
    <AppLink href={`/${folder}/${row.location.id}`} className={`text-link ${phoneName}`}>
      {nameOf(row)}
    </AppLink>
  );
}

function changeOf(row: Row): string {
  const change = changeSince(toNumber(row.amountBefore), toNumber(row.amount));
  if (change === null) return toNumber(row.amount) === 0 ? '–' : 'New';
  // What rounds to nothing has no sign.
  const tenths = Math.round(1000 * change);
  return trueMinus(`${tenths > 0 ? '+' : ''}${(tenths / 10).toFixed(1)}%`);
}
