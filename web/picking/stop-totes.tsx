import { useState } from 'react';
import type { PickLine, PickSheet, PickStop } from '../../contract/picking.ts';
import { freshnessOf } from '../../domain/picking.ts';
import { relativeTime } from '../../domain/time.ts';
import { countOf, formatDateTime } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Badge, Flag } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { useNow } from '../ui/use-now.ts';
import { useRecord } from './api.ts';
import { LineRow } from './line-row.tsx';
import { ShortDialog } from './short-dialog.tsx';
import { allOf, handlingLabel, isDone, toteNumbers } from './words.ts';

/** What goes to one stop, tote by tote. */
export function StopTotes({ stop, sheet }: { stop: PickStop; sheet: PickSheet }) {
  const { type, locationId, name, stopOrder, totes } = stop;
  const onward = useFocusOnward('next');
  const address = type === 'market' ? `/markets/${locationId}` : `/vending-machines/${locationId}`;
  return (
    <Card>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-3 max-lg:pt-1 max-lg:pb-2">
        <span className="grid size-7 flex-none place-items-center rounded-full bg-idle-soft font-semibold text-12 text-idle-text print:border print:border-text">
          <span className="sr-only">Stop </span>
          {stopOrder}
        </span>
        <h2 className="mr-auto min-w-0">
          <AppLink href={address} className="hover:text-accent hover:underline max-lg:block max-lg:py-3.5">
            {name}
          </AppLink>
        </h2>
        <Freshness at={stop.knownAt} />
      </header>
      {totes.length === 0 && (
        <p className="px-4 py-3 text-text-2">
          {stop.isNew ? 'Not on this list yet.' : 'Nothing to bring to this stop.'}
        </p>
      )}
      <div {...onward}>
        {totes.map((tote) => (
          <ToteLines key={tote.from} tote={tote} stop={stop} sheet={sheet} />
        ))}
      </div>
    </Card>
  );
}

/** How old the figures behind the list are: an old list packs for a machine of yesterday. */
function Freshness({ at }: { at: string | null }) {
  const now = useNow();
  const known = at === null ? null : new Date(at);
  const tone = { fresh: 'ok', ageing: 'warn', old: 'bad' } as const;
  return (
    <Flag tone={tone[freshnessOf(known, now)]}>
      {known ? (
        <>
          <span className="print:hidden" title={formatDateTime(known)}>
            {`Data from ${relativeTime(known, now).toLowerCase()}`}
          </span>
          {/* Paper grows old without saying so. */}
          <span className="hidden print:inline">{`Data from ${formatDateTime(known)}`}</span>
        </>
      ) : (
        'No data yet'
      )}
    </Flag>
  );
}

type ToteProps = { tote: PickStop['totes'][number]; stop: PickStop; sheet: PickSheet };

function ToteLines({ tote, stop, sheet }: ToteProps) {
  const [short, setShort] = useState<PickLine | null>(null);
  const { record, isPending } = useRecord(sheet.route.routeId);
  const isOpen = sheet.route.state === 'picking';
  const done = isDone(tote.lines);
  const label = `${tote.kind === 'cold' ? 'Cold bag' : 'Tote'} ${toteNumbers(tote)}`;
  return (
    <section
      aria-label={`${label} of ${stop.name}`}
      className="break-inside-avoid border-line border-b last:border-b-0"
    >
      <header className="flex min-h-12 flex-wrap items-center gap-2 bg-subtle px-4 py-1 print:min-h-0">
        <h3 className="font-semibold text-text-2">{label}</h3>
        <Badge tone="outline">{handlingLabel[tote.kind]}</Badge>
        <span className="mr-auto text-text-2">{countOf(tote.units, 'unit')}</span>
        {isOpen && !done && (
          <Button
            icon="check"
            pending={isPending}
            onClick={() => record(allOf(tote.lines))}
            className="max-lg:min-h-12"
          >
            {`All of ${label.toLowerCase()}`}
          </Button>
        )}
        {done && <Flag tone="ok">Packed</Flag>}
        {/* A sheet of paper may begin with any tote. */}
        <span className="hidden text-text-2 print:inline">{`Stop ${stop.stopOrder}: ${stop.name}`}</span>
      </header>
      <ul aria-label={label}>
        {tote.lines.map((line) => (
          <LineRow
            key={`${line.itemType}-${line.itemId}`}
            line={line}
            isOpen={isOpen}
            onPick={(picked) => line.lineId !== null && record([{ lineId: line.lineId, picked }])}
            onShort={() => setShort(line)}
          />
        ))}
      </ul>
      {short && <ShortDialog line={short} routeId={sheet.route.routeId} onClose={() => setShort(null)} />}
    </section>
  );
}
