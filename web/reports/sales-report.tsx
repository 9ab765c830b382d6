import { useMemo } from 'react';
import type { SalesReport } from '../../contract/reports.ts';
import { changeSince, type SalesGroup, salesGroups } from '../../domain/report.ts';
import { formatMoney, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/app-link.tsx';
import { Card, StatTile } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Select } from '../ui/select.tsx';
import { StateView } from '../ui/state-view.tsx';
import { tableOf } from '../ui/table-file.ts';
import { ChangeText } from './change-text.tsx';
import { DayChart } from './day-chart.tsx';
import { fourTiles, percentText } from './report-parts.tsx';
import type { Taken } from './taken.ts';

const groupLabel: Record<SalesGroup, string> = {
  product: 'Product',
  category: 'Category',
  route: 'Route',
  location: 'Location',
  machine: 'Vending Machine',
};

export function takeSales(report: SalesReport): Taken {
  return {
    data: report,
    table: tableOf(report.rows, [
      { header: groupLabel[report.by], value: nameOf },
      { header: 'Units', value: (row) => row.units },
      { header: 'Sales', value: (row) => row.amount },
      { header: 'Sales before', value: (row) => row.amountBefore },
      { header: 'Margin', value: (row) => row.margin },
      { header: 'Sold out share', value: (row) => row.soldOutShare },
    ]),
  };
}

type Row = SalesReport['rows'][number];

const nameOf = (row: Row): string => row.label || 'None';

type Props = { report: SalesReport; onGroup: (by: SalesGroup) => void };

export function SalesReportView({ report, onGroup }: Props) {
  const amount = Number(report.amount);
  const costed = Number(report.costedAmount);
  if (report.days.length === 0) {
    return (
      <Card>
        <StateView
          icon="chart"
          title="No sales in these days"
          text="Choose other days, or import sales from your vendor's files."
        />
      </Card>
    );
  }
  return (
    <>
      <section aria-label="Figures" className={fourTiles}>
        <StatTile
          label="Sales"
          value={formatMoney(report.amount)}
          detail={<ChangeText before={Number(report.amountBefore)} now={amount} />}
        />
        <StatTile
          label="Units"
          value={formatNumber(report.units)}
          detail={<ChangeText before={report.unitsBefore} now={report.units} />}
        />
        <StatTile
          label="Mean Price"
          value={report.units === 0 ? '–' : formatMoney(String(amount / report.units))}
          detail="A unit"
        />
        <StatTile
          label="Margin"
          value={costed === 0 ? '–' : percentText(Number(report.margin) / costed)}
          detail={
            costed === 0
              ? 'No product has a known cost'
              : `${formatMoney(report.margin)} of ${formatMoney(report.costedAmount)} with a known cost`
          }
        />
      </section>
      <DayChart
        title="Sales by day"
        days={report.days.map((one) => ({ day: one.day, value: Number(one.amount), other: Number(one.amountBefore) }))}
        label="Sales"
        otherLabel="Time before"
        format={(value) => formatMoney(String(value))}
      />
      <Card
        title={`Sales by ${groupLabel[report.by].toLowerCase()}`}
        count={report.rows.length}
        actions={
          <span className="print:hidden">
            <Select
              label="Group by"
              hideLabel
              value={report.by}
              onChange={(text) => onGroup(salesGroups.find((by) => by === text) ?? 'product')}
              options={salesGroups.map((value) => ({ value, label: `By ${groupLabel[value].toLowerCase()}` }))}
            />
          </span>
        }
      >
        <Rows report={report} />
      </Card>
    </>
  );
}

function Rows({ report }: { report: SalesReport }) {
  const { by } = report;
  const columns = useMemo((): Column<Row>[] => {
    const figure = (key: string, header: string, value: (row: Row) => string, hidden = ''): Column<Row> => ({
      ...{ key, header, align: 'right', className: `w-28 max-sm:w-24 ${hidden}` },
      sortValue: (row) => Number(value(row)),
      cell: (row) => formatMoney(value(row)),
    });
    return [
      { key: 'name', header: groupLabel[by], sortValue: nameOf, cell: (row) => <Name row={row} /> },
      {
        ...{ key: 'units', header: 'Units', align: 'right', className: 'w-20' },
        sortValue: (row) => row.units,
        cell: (row) => formatNumber(row.units),
      },
      figure('sales', 'Sales', (row) => row.amount),
      {
        ...{ key: 'change', header: 'Change', align: 'right', className: 'w-24 max-md:hidden' },
        sortValue: (row) => changeSince(Number(row.amountBefore), Number(row.amount)) ?? 0,
        cell: changeOf,
      },
      figure('margin', 'Margin', (row) => row.margin, 'max-lg:hidden'),
      {
        ...{ key: 'out', header: 'Sold Out', align: 'right', className: 'w-24 max-md:hidden' },
        sortValue: (row) => row.soldOutShare ?? -1,
        cell: (row) => percentText(row.soldOutShare),
      },
    ];
  }, [by]);
  return (
    <DataTable
      label="Sales"
      rows={report.rows}
      columns={columns}
      rowKey={(row) => row.key}
      initialSort={{ key: 'sales', down: true }}
      empty={<StateView icon="chart" title="Nothing to group" text="No slot or item belongs to this choice." />}
    />
  );
}

function Name({ row }: { row: Row }) {
  if (!row.location) return <>{nameOf(row)}</>;
  const folder = row.location.type === 'market' ? 'markets' : 'vending-machines';
  return (
    <AppLink href={`/${folder}/${row.location.id}`} className="hover:text-accent hover:underline">
      {nameOf(row)}
    </AppLink>
  );
}

function changeOf(row: Row): string {
  const change = changeSince(Number(row.amountBefore), Number(row.amount));
  if (change === null) return Number(row.amount) === 0 ? '–' : 'New';
  return `${change > 0 ? '+' : ''}${(100 * change).toFixed(1)}%`;
}
