import type { ReactNode } from 'react';
import type { Route, ScheduledRoute } from '../../../contract/routes.ts';
import { addDays } from '../../../domain/time.ts';
import { hoursAndMinutes, kmToMiles } from '../../../domain/units.ts';
import { formatDay, formatMiles } from '../../http/format.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ExportButton } from '../../ui/dialogs/export-button.tsx';
import { Estimated } from '../../ui/estimated.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { FailedView, StateView } from '../../ui/state-view.tsx';
import { ShowMore } from '../../ui/tables/show-more.tsx';
import { usePastRoutes, useRouteDetails } from '../api.ts';
import { drivenKm, drivenTime } from './driven.ts';
import { routesToExport } from './export.ts';

const pageRows = 10;
/** How far back the list goes. */
const historyDays = 90;

type Props = { today: string; onClose: () => void };

/** Past routes, each with what was planned beside what was driven. */
export function HistoryDialog({ today, onClose }: Props) {
  const days = { from: addDays(today, -historyDays), to: today };
  const routes = usePastRoutes(days, pageRows);
  const page = routes.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const total = routes.data?.pages[0]?.total ?? 0;
  const details = useRouteDetails(page.map((route) => route.id));

  return (
    <Dialog
      open
      wide
      title="Route History"
      description={`The last ${historyDays} days, newest first.`}
      onClose={onClose}
      footer={total > 0 && <ExportButton label="Export route history" exported={routesToExport(days)} total={total} />}
    >
      {routes.isPending && <SkeletonRows rows={5} />}
      {routes.isError && (
        <FailedView error={routes.error} retry={() => routes.refetch()} title="Past routes did not load" />
      )}
      {routes.isSuccess && total === 0 && (
        <StateView
          icon="history"
          title="No past routes"
          text={`No route of the last ${historyDays} days is over. A route appears here once its day has passed.`}
        />
      )}
      {page.length > 0 && <HistoryTable routes={page} details={details.map((detail) => detail.data)} />}
      {routes.hasNextPage && (
        <ShowMore
          shown={page.length}
          total={total}
          step={pageRows}
          things="routes"
          pending={routes.isFetchingNextPage}
          failed={routes.isFetchNextPageError}
          onMore={() => void routes.fetchNextPage()}
        />
      )}
    </Dialog>
  );
}

type TableProps = { routes: readonly Route[]; details: readonly (ScheduledRoute | undefined)[] };

const headClass = 'h-8 px-2 text-left font-medium text-12 text-text-2 whitespace-nowrap';
const numberClass = 'px-2 text-right tabular-nums whitespace-nowrap';

function HistoryTable({ routes, details }: TableProps) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <caption className="sr-only">Past routes, planned against actual</caption>
        <thead className="bg-subtle">
          <tr>
            <th className={`${headClass} max-sm:hidden`}>Date</th>
            <th className={headClass}>Route</th>
            <th className={`${headClass} max-sm:hidden`}>Driver</th>
            <th className={`${headClass} text-right max-sm:hidden`}>Stops</th>
            <th className={`${headClass} text-right`}>
              Distance<span className="max-sm:hidden">, planned</span>
            </th>
            <th className={`${headClass} text-right max-sm:hidden`}>Actual</th>
            <th className={`${headClass} text-right`}>
              Time<span className="max-sm:hidden">, planned</span>
            </th>
            <th className={`${headClass} text-right max-sm:hidden`}>Actual</th>
          </tr>
        </thead>
        <tbody>
          {routes.map((route, at) => (
            <HistoryRow key={route.id} route={route} detail={details[at]} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HistoryRow({ route, detail }: { route: Route; detail: ScheduledRoute | undefined }) {
  const km = detail ? drivenKm(route, detail) : null;
  const distance = km === null ? notDriven(route, detail) : formatMiles(kmToMiles(km));
  const taken = drivenTime(route);
  const time = taken ?? 'Not finished';
  const date = formatDay(route.date);
  const driver = route.driverName ?? 'No driver';
  return (
    <tr className="h-10 border-line border-b max-sm:align-top">
      <td className="whitespace-nowrap px-2 max-sm:hidden">{date}</td>
      <td className="max-w-52 truncate px-2 max-sm:max-w-28 max-sm:py-2" title={route.name}>
        <span className="font-medium">{route.name}</span>
        <PhoneLine>{date}</PhoneLine>
        <PhoneLine>{driver}</PhoneLine>
      </td>
      <td className="max-w-40 truncate px-2 text-text-2 max-sm:hidden">{driver}</td>
      <td className={`${numberClass} max-sm:hidden`}>
        {route.completedStops} / {route.totalStops}
      </td>
      <td className={`${numberClass} max-sm:py-2`}>
        {formatMiles(kmToMiles(route.totalDistance))}
        <PhoneLine>{km === null ? distance : `Actual ${distance}`}</PhoneLine>
      </td>
      <td className={`${numberClass} max-sm:hidden`}>{distance}</td>
      <td className={`${numberClass} max-sm:py-2`}>
        {hoursAndMinutes(route.estimatedTime)} <Estimated source={route.distanceSource} className="block" />
        <PhoneLine>{taken === null ? time : `Actual ${time}`}</PhoneLine>
      </td>
      <td className={`${numberClass} max-sm:hidden`}>{time}</td>
    </tr>
  );
}

/** What has a column of its own in the office. */
function PhoneLine({ children }: { children: ReactNode }) {
  return <span className="block truncate text-12 text-text-2 sm:hidden">{children}</span>;
}

function notDriven(route: Route, detail: ScheduledRoute | undefined): string {
  if (!detail) return '';
  return route.completedStops === 0 ? 'Not driven' : 'Not recorded';
}
