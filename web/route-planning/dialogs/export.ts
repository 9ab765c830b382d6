import type { Route, ScheduledRoute } from '../../../contract/routes.ts';
import type { Exported } from '../../ui/dialogs/export-dialog.tsx';
import { loadPastRoutes, loadRoutesOfDay } from '../api.ts';
import { drivenKm, drivenMin } from './driven.ts';

type Row = Omit<Route, 'totalDistance' | 'estimatedTime'> & {
  plannedKm: number;
  actualKm: number | null;
  plannedMin: number;
  actualMin: number | null;
};

/** So many routes are read at once: about a day's of a large operator. */
const pageRows = 250;

/** Past routes as a file has them, in the order of the list. The stops that were driven are asked for a day at a time. */
export const routesToExport = (days: { from: string; to: string }): Exported<Row> => {
  const known = new Map<string, Promise<Map<number, ScheduledRoute>>>();
  const stopsOf = (day: string): Promise<Map<number, ScheduledRoute>> => {
    const asked = known.get(day) ?? loadRoutesOfDay(day).then((all) => new Map(all.map((route) => [route.id, route])));
    // One day goes on from page to page; the others are no longer needed.
    known.clear();
    known.set(day, asked);
    return asked;
  };
  return {
    name: 'route-history',
    one: 'route',
    many: 'routes',
    load: async (page) => {
      const past = await loadPastRoutes(days, page, pageRows);
      const rows: Row[] = [];
      for (const route of past.rows) rows.push(rowOf(route, (await stopsOf(route.date)).get(route.id)));
      return { rows, next: past.next };
    },
    columns: [
      { header: 'Date', value: (row) => row.date },
      { header: 'Route', value: (row) => row.name },
      { header: 'Route designation', value: (row) => row.routeDesignation },
      { header: 'Driver', value: (row) => row.driverName },
      { header: 'Vehicle', value: (row) => row.vehicleName },
      { header: 'Status', value: (row) => row.status },
      { header: 'Stops', value: (row) => row.totalStops },
      { header: 'Stops done', value: (row) => row.completedStops },
      { header: 'Distance planned, km', value: (row) => row.plannedKm },
      { header: 'Distance actual, km', value: (row) => row.actualKm },
      { header: 'Time planned, min', value: (row) => row.plannedMin },
      { header: 'Time actual, min', value: (row) => row.actualMin },
      { header: 'Started', value: (row) => row.startedAt },
      { header: 'Completed', value: (row) => row.completedAt },
    ],
  };
};

function rowOf({ totalDistance, estimatedTime, ...route }: Route, detail: ScheduledRoute | undefined): Row {
  const driven = detail ? drivenKm({ totalDistance }, detail) : null;
  return {
    ...route,
    plannedKm: toTenth(totalDistance),
    actualKm: driven === null ? null : toTenth(driven),
    plannedMin: estimatedTime,
    actualMin: drivenMin(route),
  };
}

const toTenth = (km: number): number => Math.round(km * 10) / 10;
