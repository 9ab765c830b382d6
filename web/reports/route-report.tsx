import { useState } from 'react';
import type { RouteReport, RouteReportPage } from '../../contract/reports.ts';
import {
  countOf,
  formatDay,
  formatDistanceMark,
  formatMiles,
  formatMoney,
  formatNumber,
  milesInUnit,
} from '../http/format.ts';
import { operatorRules } from '../http/operator-rules.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { ButtonLink } from '../ui/address/button-link.tsx';
import { SectionLink } from '../ui/address/section-link.tsx';
import { Card, StatTile } from '../ui/card.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { StateView } from '../ui/state-view.tsx';
import { byName, byNumber, byTime } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { tableOf } from '../ui/tables/table-file.ts';
import { type ChartDay, DayChart } from './day-chart.tsx';
import { minutesText, Rows, rowsId, sixTiles } from './report-parts.tsx';
import { type PagedProps, tableProps } from './row-search.tsx';
import type { Taken } from './taken.ts';

export function takeRoutes(report: RouteReport): Taken {
  return {
    data: report,
    table: tableOf(report.rows, [
      { header: 'Route', value: (row) => row.name },
      { header: 'Date', value: (row) => row.date },
      { header: 'Status', value: (row) => row.status },
      { header: 'Stops', value: (row) => row.stops },
      { header: 'Visited', value: (row) => row.visited },
      { header: 'Planned miles', value: (row) => row.plannedMiles },
      { header: 'Driven miles', value: (row) => row.drivenMiles },
      { header: 'Planned minutes', value: (row) => row.plannedMin },
      { header: 'Actual minutes', value: (row) => row.actualMin },
    ]),
  };
}

export function RouteReportView({ report, table }: { report: RouteReportPage; table: PagedProps }) {
  const { distance, deliveryTime, stops } = report;
  return (
    <>
      <section aria-label="Figures" className={sixTiles}>
        <StatTile
          label="Active Markets"
          value={formatNumber(report.activeMarkets)}
          href="/markets?status=active"
          detail="Markets, on a route or not"
        />
        <StatTile
          label="In Maintenance"
          value={formatNumber(report.maintenanceMarkets)}
          href="/markets?status=maintenance"
          detail="Markets"
        />
        <StatTile
          label="Total Distance"
          value={<SectionLink section={rowsId}>{formatMiles(distance.drivenMiles)}</SectionLink>}
          detail={`Driven; ${formatMiles(distance.plannedMiles)} planned on ${countOf(report.routes, 'route')}`}
        />
        <StatTile
          label="Avg. Delivery Time"
          value={<SectionLink section={rowsId}>{minutesText(deliveryTime.actualMin)}</SectionLink>}
          detail={
            deliveryTime.plannedMin === null
              ? 'No route was completed'
              : `Planned ${minutesText(deliveryTime.plannedMin)}, ${countOf(report.completed, 'route')} completed`
          }
        />
        <StatTile
          label="Stops"
          value={
            stops.planned === 0 ? (
              '–'
            ) : (
              <SectionLink section={rowsId}>
                {`${formatNumber(stops.visited)} of ${formatNumber(stops.planned)}`}
              </SectionLink>
            )
          }
          detail={
            stops.planned === 0
              ? 'No stop was planned'
              : `${formatNumber(stops.skipped)} skipped, ${formatNumber(stops.late)} more than ${countOf(operatorRules().lateAfterMin, 'minute')} late`
          }
        />
        <StatTile
          label="Sales per Visit"
          value={
            report.salesPerVisit === null ? (
              '–'
            ) : (
              <SectionLink section={rowsId}>{formatMoney(report.salesPerVisit)}</SectionLink>
            )
          }
          detail="Sales of these days by stop visited"
        />
      </section>
      {report.days.length > 0 && <RouteDays days={report.days} />}
      <Rows>
        <Card title="Routes" count={formatNumber(report.rows.total)}>
          <PagedTable
            {...tableProps(table, '-date')}
            label="Routes"
            page={report.rows}
            columns={columns}
            rowKey={(row) => row.id}
            empty={
              <StateView
                icon="route"
                title="No routes in these days"
                text="Choose other days, or plan a route."
                action={<ButtonLink href="/route-planning">Plan a route</ButtonLink>}
              />
            }
          />
        </Card>
      </Rows>
    </>
  );
}

function RouteDays({ days }: { days: RouteReport['days'] }) {
  const [what, setWhat] = useState<'time' | 'distance'>('time');
  const isTime = what === 'time';
  return (
    <div className="grid gap-2">
      <span className="print:hidden">
        <Segmented
          label="Chart of"
          options={[
            { value: 'time', label: 'Time' },
            { value: 'distance', label: 'Distance' },
          ]}
          value={what}
          onChange={setWhat}
        />
      </span>
      <DayChart
        title={isTime ? 'Time on routes by day' : 'Distance by day'}
        days={days.map(isTime ? timeOf : distanceOf)}
        label={isTime ? 'Actual' : 'Driven'}
        otherLabel="Planned"
        scale={isTime ? (hours) => `${formatNumber(hours)} h` : formatDistanceMark}
      />
    </div>
  );
}

type RouteDay = RouteReport['days'][number];

/** In hours, in which the scale is round. */
const timeOf = ({ day, actualMin, plannedMin }: RouteDay): ChartDay => ({
  ...{ day, value: actualMin / 60, other: plannedMin / 60 },
  texts: [minutesText(actualMin), minutesText(plannedMin)],
});

const distanceOf = ({ day, drivenMiles, plannedMiles }: RouteDay): ChartDay => ({
  ...{ day, value: milesInUnit(drivenMiles), other: milesInUnit(plannedMiles) },
  texts: [formatMiles(drivenMiles), formatMiles(plannedMiles)],
});

type Row = RouteReport['rows'][number];

const columns: readonly PagedColumn<Row>[] = [
  {
    ...{ key: 'route', header: 'Route', sortBy: 'name', orders: byName },
    cell: (row) => (
      <span className="press-row block min-w-0 py-1">
        <AppLink href={`/daily-schedule?date=${row.date}&route=${row.id}`} className="text-link">
          {row.name}
        </AppLink>
        <span className="block truncate text-12 text-text-3 sm:hidden print:hidden">{formatDay(row.date)}</span>
      </span>
    ),
  },
  {
    ...{
      key: 'date',
      header: 'Date',
      className: 'w-32 max-sm:hidden print:table-cell',
      sortBy: 'date',
      orders: byTime,
    },
    cell: (row) => formatDay(row.date),
  },
  figure('visited', 'Stops', (row) => `${row.visited} of ${row.stops}`),
  figure('driven', 'Distance', (row) => formatMiles(row.drivenMiles)),
  figure('planned', 'Planned distance', (row) => formatMiles(row.plannedMiles), 'w-36 max-xl:hidden'),
  figure('time', 'Time', (row) => minutesText(row.actualMin), 'w-28 max-xl:pr-4 max-sm:w-22 max-sm:pr-4'),
  figure('planned-time', 'Planned time', (row) => minutesText(row.plannedMin), 'w-32 max-xl:hidden'),
];

function figure(sortBy: string, header: string, cell: (row: Row) => string, width = 'w-28'): PagedColumn<Row> {
  return {
    ...{ key: sortBy, header, align: 'right', sortBy, orders: byNumber, cell },
    className: `max-sm:w-19 max-sm:px-1 ${width}`,
  };
}
