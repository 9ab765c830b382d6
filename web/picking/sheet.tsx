import { useState } from 'react';
import type { PickSheet } from '../../contract/picking.ts';
import { countOf, formatDateTime, formatDay } from '../http/format.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { Segmented } from '../ui/forms/segmented.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { usePickSheet, usePrepare } from './api.ts';
import { ByProduct } from './by-product.tsx';
import { CameBack } from './came-back.tsx';
import { sheetToExport } from './export.ts';
import { SheetState } from './sheet-state.tsx';
import { StopTotes } from './stop-totes.tsx';
import { linesOf } from './words.ts';

const modes = [
  { value: 'stop', label: 'By stop' },
  { value: 'product', label: 'By product' },
] as const;

/** One route's list. */
export function Sheet({ routeId, onBack }: { routeId: number; onBack: () => void }) {
  const { data: sheet, error, refetch } = usePickSheet(routeId);
  const { get, set } = useAddress();
  const mode = get('by') === 'product' ? 'product' : 'stop';
  return (
    // On paper the head is that of a table, which every page repeats: a sheet that fell off the pile names its route and day.
    <div className="p-6 max-lg:p-4 print:table print:w-full">
      <header className="flex flex-wrap items-center gap-2 pb-4 print:table-header-group print:break-inside-avoid">
        <IconButton label="All pick lists" icon="left" className="max-lg:size-12" onClick={onBack} />
        <h1 className="mr-auto min-w-0 print:pb-2">
          {sheet ? `Pick ${sheet.route.name}` : 'Pick list'}
          {sheet && <span className="hidden print:inline">{`, ${formatDay(sheet.route.date)}`}</span>}
        </h1>
        {sheet && (
          <span className="flex flex-wrap gap-2 print:hidden">
            <Segmented
              label="Order"
              options={modes}
              value={mode}
              onChange={(by) => set({ by: by === 'stop' ? null : by })}
            />
            <span className="flex gap-2 max-sm:hidden">
              <Button icon="print" onClick={() => window.print()} className="max-lg:min-h-12">
                Print
              </Button>
              <ExportButton exported={sheetToExport(sheet)} total={linesOf(sheet).length} />
            </span>
          </span>
        )}
      </header>
      <div className="grid grid-cols-1 gap-4">
        {error && !sheet && (
          <FailedView error={error} retry={() => void refetch()} title="The pick list did not load" />
        )}
        {!sheet && !error && <SkeletonRows rows={5} className="h-20" />}
        {sheet && <Body sheet={sheet} mode={mode} />}
      </div>
    </div>
  );
}

function Body({ sheet, mode }: { sheet: PickSheet; mode: 'stop' | 'product' }) {
  const { route, stops, madeAt } = sheet;
  const lines = linesOf(sheet);
  const units = lines.reduce((sum, line) => sum + line.planned, 0);
  const totes = stops.reduce((sum, stop) => sum + Math.max(0, ...stop.totes.map(({ to }) => to)), 0);
  const over = route.capacityTotes !== null && totes > route.capacityTotes;
  return (
    <>
      <p className="text-text-2">
        {/* On paper the head of each page says the day. */}
        <span className="print:hidden">{`${formatDay(route.date)}, `}</span>
        {[
          countOf(stops.length, 'stop'),
          countOf(units, 'unit'),
          countOf(totes, 'tote'),
          route.driverName,
          route.vehicleName,
        ]
          .filter(Boolean)
          .join(', ')}
        {`. ${route.state === 'open' ? 'Calculated' : 'Fixed'} ${formatDateTime(madeAt)}.`}
      </p>
      {over && (
        <p role="alert" className="rounded bg-warn-soft px-4 py-3 text-warn-text">
          {`The truck holds ${countOf(route.capacityTotes ?? 0, 'tote')}; this list needs ${totes}. Leave something out, or take a larger truck.`}
        </p>
      )}
      <SheetState sheet={sheet} />
      <NewStops sheet={sheet} />
      {mode === 'product' ? (
        <ByProduct sheet={sheet} />
      ) : (
        stops.map((stop) => <StopTotes key={stop.stopId} stop={stop} sheet={sheet} />)
      )}
      <CameBack sheet={sheet} />
    </>
  );
}

/** Stops that came onto the route after the list was fixed. What is said of them goes once it is answered. */
function NewStops({ sheet }: { sheet: PickSheet }) {
  const [hidden, setHidden] = useState(false);
  const onward = useFocusOnward();
  const prepare = usePrepare(sheet.route.routeId);
  const added = sheet.stops.filter(({ isNew }) => isNew).length;
  // Nobody picks any more for a route that was driven.
  const isAsked = added > 0 && !hidden && sheet.route.status !== 'completed';
  if (isAsked && sheet.finishedAt) {
    return (
      <p role="alert" className="rounded bg-warn-soft px-4 py-3 text-warn-text print:hidden">
        {`${countOf(added, 'stop was', 'stops were')} added to the route after it was picked. Open the list again to pick for ${added === 1 ? 'it' : 'them'}.`}
      </p>
    );
  }
  return (
    <div {...onward} className="contents">
      {isAsked && (
        <div className="flex flex-wrap items-center gap-2 rounded bg-warn-soft px-4 py-3 text-warn-text print:hidden">
          <span className="mr-auto">{`${countOf(added, 'stop was', 'stops were')} added to the route since.`}</span>
          <Button pending={prepare.isPending} onClick={() => prepare.mutate(undefined)} className="max-lg:min-h-12">
            Add to the list
          </Button>
          <Button variant="quiet" onClick={() => setHidden(true)} className="max-lg:min-h-12">
            Not now
          </Button>
        </div>
      )}
    </div>
  );
}
