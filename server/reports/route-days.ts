import type { RouteDay, RouteSums } from './route-queries.ts';

const nothing = {
  ...{ routes: 0, completed: 0, plannedKm: 0, drivenKm: 0, plannedMin: 0, completedPlannedMin: 0, actualMin: 0 },
  ...{ stops: 0, visited: 0, skipped: 0, late: 0 },
};

/** What the routes of each day come to, of routes that are told one by one: their stops are not read a second time. */
export function daysOfRoutes(routes: readonly RouteSums[]): RouteDay[] {
  const days = new Map<string, RouteDay>();
  for (const route of routes) {
    const sum = days.get(route.date) ?? { day: route.date, ...nothing };
    const isCompleted = route.actualMin !== null;
    sum.routes += 1;
    sum.completed += isCompleted ? 1 : 0;
    sum.plannedKm += route.plannedKm;
    sum.drivenKm += route.drivenKm;
    sum.plannedMin += route.plannedMin;
    sum.completedPlannedMin += isCompleted ? route.plannedMin : 0;
    sum.actualMin += route.actualMin ?? 0;
    sum.stops += route.stops;
    sum.visited += route.visited;
    sum.skipped += route.skipped;
    sum.late += route.late;
    days.set(route.date, sum);
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
