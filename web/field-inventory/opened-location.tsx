import { useDeferredValue, useRef, useState } from 'react';
import type { Session } from '../../contract/auth.ts';
import type { LocationRef } from '../../domain/location.ts';
import { locationKey } from '../../domain/place.ts';
import { keepableText } from '../../domain/plain-text.ts';
import { fieldStatus } from '../../domain/stock-status.ts';
import { countOf } from '../http/format.ts';
import { withDraft } from '../offline/day/overlay.ts';
import type { KeptLocation, StockRow } from '../offline/kept/reads.ts';
import { itemKey } from '../offline/outbox/records.ts';
import { useOffline } from '../offline/use-offline.ts';
import { toast } from '../ui/toasts/toast.ts';
import type { DraftDesk, Drafts } from './drafts/draft-desk.ts';
import { SaveBar } from './drafts/save-bar.tsx';
import { type Modes, ModeToggles } from './mode-toggles.tsx';
import { useRowPhoto } from './photos/use-row-photo.ts';
import { VisitPhotos } from './photos/visit-photos.tsx';
import { ScanPanel } from './scan/scan-panel.tsx';
import { useDockRoom } from './stock/dock-room.ts';
import { LocationStock, neighbourOf, nextToFill } from './stock/location-stock.tsx';
import { SlotEditor } from './stock/slot-editor.tsx';
import { StockTools } from './stock/stock-tools.tsx';
import { useStockTools } from './stock/use-stock-tools.ts';
import { addToNote, useNote, useStockWithSaved } from './use-field.ts';
import { PastVisits } from './visit/past-visits.tsx';
import { VisitPanel } from './visit/visit-panel.tsx';

type OpenedLocationProps = {
  location: LocationRef;
  /** False while it is only drawn ahead: nothing begins before it is opened. */
  isShown: boolean;
  /** Null until it is downloaded, or when it is none of the person's. */
  kept: KeptLocation | null;
  isDownloading: boolean;
  session: Session;
  desk: DraftDesk;
  drafts: Drafts;
  modes: Modes;
  onModes: (modes: Modes) => void;
  onOpen: (location: LocationRef) => void;
  isSaving: boolean;
  onSave: () => void;
  onFinish: (visitId: string) => void;
};

const noModes: Modes = { scan: false, photo: false, quickRestock: false };

export function OpenedLocation(props: OpenedLocationProps) {
  const { location, isShown, kept, isDownloading, session, desk, drafts, onModes } = props;
  // A scan belongs to the one screen that is seen.
  const modes = isShown ? props.modes : noModes;
  const rows = useStockWithSaved(location, desk);
  const offline = useOffline();
  const camera = useRef<HTMLInputElement>(null);
  const onPhoto = useRowPhoto({ camera, modes: props.modes, onModes });
  const tools = useStockTools({ location, rows, desk, drafts });
  const { chosenId, choose } = tools;
  const userId = session.person.id;
  const { isSaving, onFinish } = props;
  const visit = { userId, location, isSaving, onFinish, currency: session.operator.currency };
  const hasDrafts = [...drafts.values()].some((draft) => draft.locationKey === locationKey(location));
  const isMachine = location.type === 'vending_machine';
  // What lies below the stock waits until the stock is drawn.
  const isDrawn = useDeferredValue(isShown && rows !== undefined, false);
  const [wasHere, setWasHere] = useState(kept !== null);
  if (kept && !wasHere) setWasHere(true);
  if (!kept && rows?.length === 0) {
    return (
      <>
        {wasHere ? <Gone /> : <Missing isDownloading={isDownloading} hasDrafts={hasDrafts} />}
        {isDrawn && <VisitPanel {...visit} isOver />}
        <Dock {...props} rows={rows} chosenId={null} onChoose={tools.show} onClose={tools.close} />
      </>
    );
  }
  return (
    <section aria-label={kept?.name ?? 'Location'}>
      <div className="flex items-center justify-between gap-2 py-2 pr-1 pl-4">
        <div className="min-w-0">
          <h2 className="text-16 leading-5 font-semibold text-text">
            {kept?.name ?? (isDownloading ? 'Location' : '\u00a0')}
          </h2>
          <p className="text-14 text-text-2">{lineOf(rows, drafts, isDownloading)}</p>
        </div>
        <ModeToggles
          modes={modes}
          onChange={(next) => {
            // The slot in hand covers what a mode shows.
            tools.close();
            onModes(next);
          }}
          isCompact
        />
      </div>
      {modes.scan && (
        <ScanPanel
          rows={rows ?? []}
          drafts={drafts}
          onRestock={(row, units) => {
            desk.apply(location, row, { type: 'add', units, reason: 'barcode_restock' });
            tools.show(row.itemId);
          }}
          onOpen={props.onOpen}
          onNote={(line) => void addToNote(offline, { userId, location, line })}
        />
      )}
      {modes.photo && <VisitPhotos userId={userId} location={location} camera={camera} />}
      {rows && rows.length > 0 && <StockTools isMachine={isMachine} total={rows.length} {...tools} />}
      {rows && (
        <LocationStock
          location={location}
          rows={tools.listed}
          desk={desk}
          drafts={drafts}
          isQuickRestock={modes.quickRestock}
          onPhoto={onPhoto}
          chosenId={chosenId}
          onChoose={choose}
          view={tools.shownView}
          emptyWords={
            rows.length === 0 ? noneOf(isDownloading) : 'Nothing here matches. Clear the search or the filter.'
          }
        />
      )}
      {isMachine && hasDrafts && <UpdateNotes userId={userId} location={location} />}
      {isDrawn && (
        <>
          <VisitPanel {...visit} />
          <PastVisits location={location} />
        </>
      )}
      <Dock {...props} rows={rows ?? []} chosenId={chosenId} onChoose={tools.show} onClose={tools.close} />
    </section>
  );
}

type DockProps = OpenedLocationProps & {
  rows: StockRow[];
  chosenId: number | null;
  onChoose: (itemId: number) => void;
  onClose: () => void;
};

/** At the thumb, whatever is scrolled above it: the slot in hand, the note and the save. */
function Dock({
  location,
  isShown,
  session,
  desk,
  drafts,
  isSaving,
  onSave,
  rows,
  chosenId,
  onChoose,
  onClose,
}: DockProps) {
  const room = useDockRoom();
  const isMachine = location.type === 'vending_machine';
  const own = [...drafts.values()].filter((draft) => draft.locationKey === locationKey(location));
  const chosen = isMachine ? rows.find((row) => row.itemId === chosenId) : undefined;
  const next = chosen ? nextToFill(rows, chosen, drafts) : null;
  if (!isShown || (!chosen && own.length === 0)) return null;
  return (
    <div
      ref={room}
      className="sticky bottom-0 z-20 flex max-h-[calc(100dvh-10rem)] flex-col border-line border-t bg-ground max-lg:bottom-16 [&>*]:flex-none [&>[data-scrolls]]:flex-initial"
    >
      {chosen && (
        <SlotEditor
          key={chosen.itemId}
          slot={chosen}
          draft={drafts.get(itemKey(chosen))}
          desk={desk}
          location={location}
          currency={session.operator.currency}
          onNext={next && (() => onChoose(next.itemId))}
          onNeighbour={(by) => onChoose(neighbourOf(rows, chosen, by).itemId)}
          onClose={onClose}
        />
      )}
      {own.length > 0 && !isMachine && <UpdateNotes userId={session.person.id} location={location} />}
      {/* Also before the first change: it would lift the slot in hand from under the thumb that goes on tapping. */}
      <SaveBar
        draftCount={own.length}
        unsentCount={rows.filter((row) => row.state === 'saved_on_phone').length}
        isSaving={isSaving}
        onClear={() => clearWithUndo(desk, location)}
        onSave={onSave}
      />
    </div>
  );
}

function clearWithUndo(desk: DraftDesk, location: LocationRef): void {
  const { cleared, undo } = desk.clear(location);
  toast({ title: `${countOf(cleared, 'change')} cleared`, action: { label: 'Undo', run: undo } });
}

const noneOf = (isDownloading: boolean): string =>
  isDownloading ? 'Its stock is not here yet.' : 'No inventory data available';

/** Of half a download no figure is told. As long as one line of a phone: nothing moves up when the rest has come. */
function lineOf(rows: StockRow[] | undefined, drafts: Drafts, isDownloading: boolean): string {
  if (isDownloading) return 'Downloading, not whole yet';
  return rows && rows.length > 0 ? summaryOf(rows, drafts) : '\u00a0';
}

function summaryOf(rows: StockRow[], drafts: Drafts): string {
  const statuses = rows.map((row) =>
    fieldStatus(withDraft(row.quantity, drafts.get(itemKey(row))), row.minimumQuantity),
  );
  const empty = statuses.filter((status) => status === 'out').length;
  const low = statuses.filter((status) => status === 'low').length;
  return `${empty} empty, ${low} low of ${rows.length}`;
}

function UpdateNotes({ userId, location }: { userId: number; location: LocationRef }) {
  const [note, setNote] = useNote(userId, location);
  const [isCut, setIsCut] = useState(false);
  const write = (typed: string) => {
    const kept = keepableText(typed);
    setIsCut(kept !== typed);
    setNote(kept);
  };
  return (
    <label className="grid gap-1 px-4 pt-2 text-14 font-medium text-text-2">
      Update Notes
      <textarea
        rows={1}
        maxLength={500}
        value={note}
        onChange={(event) => write(event.target.value)}
        placeholder="Optional"
        className="field-sizing-content min-h-12 w-full resize-none rounded border border-line-strong bg-ground px-3 py-2.5 text-16 text-text placeholder:text-text-3"
      />
      {isCut && (
        <span role="alert" className="text-bad-text">
          A character that cannot be kept was left out. Read the note over.
        </span>
      )}
    </label>
  );
}

function Missing({ isDownloading, hasDrafts }: { isDownloading: boolean; hasDrafts: boolean }) {
  return (
    <p role="status" className="px-4 py-8 text-center text-text-2">
      {isDownloading
        ? 'Downloading this location...'
        : 'This location is not on this device. It may be deleted, on another route, or not downloaded yet.'}
      {hasDrafts && ' What you counted is kept: save it, and it is sent with the rest.'}
    </p>
  );
}

function Gone() {
  return (
    <p role="alert" className="px-4 py-8 text-center text-text-2">
      This location was deleted or moved to another route while it was open here. What you counted is kept: save it, and
      it is sent with the rest.
    </p>
  );
}
