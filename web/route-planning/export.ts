import type { Route, ScheduledRoute } from '../../contract/routes.ts';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';
import { loadRoutesOfDay } from './api.ts';
import { drivenKm, drivenMin } from './driven.ts';

type Row = Omit<Route, 'totalDistance' | 'estimatedTime'> & {
  plannedKm: number;
  actualKm: number | null;
  plannedMin: number;
  actualMin: number | null;
};

/** Past routes as a file has them. The stops that were driven are asked for a day at a time, in the order of the list. */
export const routesToExport = (routes: readonly Route[]): Exported<Row> => {
  const days = [...new Set(routes.map(({ date }) => date))];
  return {
    name: 'route-history',
    one: 'route',
    many: 'routes',
    load: async (page) => {
      const day = page ?? days[0] ?? '';
      const details = new Map((await loadRoutesOfDay(day)).map((route) => [route.id, route]));
      const rows = routes.filter(({ date }) => date === day).map((route) => rowOf(route, details.get(route.id)));
      return { rows, next: days[days.indexOf(day) + 1] ?? null };
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
