import { Activity, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Session } from '../../contract/auth.ts';
import type { LocationRef } from '../../domain/location.ts';
import { locationKey } from '../../domain/place.ts';
import { useOffline, useOfflineStatus } from '../offline/use-offline.ts';
import { refreshFieldDay } from './api.ts';
import { useSendWaiting } from './barcodes/use-send-waiting.ts';
import { DayTiles } from './day-tiles.tsx';
import { useSave } from './drafts/use-save.ts';
import { FieldFooter } from './field-footer.tsx';
import { FieldHeader } from './field-header.tsx';
import { InstallHint } from './install-hint.tsx';
import { type Modes, ModeToggles } from './mode-toggles.tsx';
import { OpenedLocation } from './opened-location.tsx';
import { RefusedPhotos } from './photos/refused-photos.tsx';
import { LocationList } from './places/location-list.tsx';
import { useKeptFilter } from './places/use-kept-filter.ts';
import { useOpenedLocation } from './places/use-opened-location.ts';
import { warmBarcodeReader } from './scan/barcode-reader.ts';
import { ScanPanel } from './scan/scan-panel.tsx';
import { CountNotices } from './unsent/count-notices.tsx';
import { Notices } from './unsent/notices.tsx';
import { PendingPanel } from './unsent/pending-panel.tsx';
import { Remarks } from './unsent/remarks.tsx';
import { useDraftDesk, useLocations, useSession } from './use-field.ts';

/** /mobile-inventory. Everything on it comes from the phone; the network only brings it up to date. */
export function FieldInventoryScreen() {
  const session = useSession();
  if (session === undefined) return <div className="min-h-dvh bg-ground" />;
  if (session === null) {
    return <p className="px-4 py-8 text-center text-text-2">Sign in once with a network to use this screen.</p>;
  }
  return <FieldInventory session={session} />;
}

function useRefresh(): { isRefreshing: boolean; refresh: () => Promise<void> } {
  const offline = useOffline();
  const [isRefreshing, setIsRefreshing] = useState(false);
  const refresh = async () => {
    setIsRefreshing(true);
    await Promise.allSettled([offline.refresh(), refreshFieldDay(offline)]);
    setIsRefreshing(false);
    offline.sender.kick('person');
  };
  return { isRefreshing, refresh };
}

/** The day's figures count what the server has: they are asked for again when it has taken something. */
function useDayAfterSending(unsent: number) {
  const offline = useOffline();
  const before = useRef(unsent);
  useEffect(() => {
    if (unsent < before.current) void refreshFieldDay(offline).catch(() => undefined);
    before.current = unsent;
  }, [offline, unsent]);
}

/** On opening: the latest figures, and the barcode reader while there is a network to fetch it by. */
function useFreshStart() {
  const offline = useOffline();
  useEffect(() => {
    void offline.refresh();
    void refreshFieldDay(offline).catch(() => undefined);
    if (offline.online.isOnline()) void warmBarcodeReader().catch(() => undefined);
  }, [offline]);
}

/**
 * Out of sight, but laid out where it will be shown: then showing it is left with painting it. `display: none`, as React puts things
 * away, would leave the layout to the moment of the tap. Invisible, it takes no touch, no focus and no reader's voice.
 */
function DrawnAhead({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const away = isShown ? '' : 'absolute inset-x-0 top-0 h-0 overflow-hidden';
  return (
    <div className={`flow-root ${away}`} style={{ visibility: isShown ? undefined : 'hidden' }}>
      {children}
    </div>
  );
}

function FieldInventory({ session }: { session: Session }) {
  const offline = useOffline();
  const status = useOfflineStatus();
  const locations = useLocations();
  const { opened, open, close, ahead, hold, expectNext, release } = useOpenedLocation();
  const drawn = opened ?? ahead;
  const { desk, drafts } = useDraftDesk(session.person.id);
  const { isSaving, save, finish } = useSave(desk, opened);
  const { isRefreshing, refresh } = useRefresh();
  const [modes, setModes] = useState<Modes>({ scan: false, photo: false, quickRestock: false });
  const [filter, setFilter] = useKeptFilter();
  const [isPendingOpen, setIsPendingOpen] = useState(false);
  useFreshStart();
  useSendWaiting(session.person.id);
  useDayAfterSending(status.unsent);
  const isDownloading = status.download === 'running';
  // Opened from the schedule, the list was never looked at: it shows the kind of place one comes from.
  const leave = () => {
    if (opened) setFilter({ ...filter, type: opened.type });
    close();
  };
  const openPending = (ref: LocationRef) => {
    setIsPendingOpen(false);
    if (!opened || locationKey(ref) !== locationKey(opened)) open(ref);
  };
  const keptOf = (ref: LocationRef) => locations?.find((one) => locationKey(one.ref) === locationKey(ref)) ?? null;
  return (
    <div className="relative mx-auto min-h-full max-w-2xl bg-ground text-16 text-text">
      <FieldHeader
        isOnline={status.online}
        isRefreshing={isRefreshing}
        onBack={opened && leave}
        onRefresh={() => void refresh()}
      />
      <Notices status={status} drafts={drafts} onRetry={() => void desk.settled().catch(() => undefined)} />
      <RefusedPhotos />
      <CountNotices opened={opened} onOpen={open} />
      {!opened && <Remarks />}
      <DayTiles
        session={session}
        status={status}
        isCompact={opened !== null}
        isPendingOpen={isPendingOpen}
        onPending={() => setIsPendingOpen(!isPendingOpen)}
      />
      {(isPendingOpen || status.attention > 0) && (
        <PendingPanel drafts={isPendingOpen ? [...drafts.values()] : null} onOpen={openPending} />
      )}
      {drawn && (
        <DrawnAhead key={locationKey(drawn)} isShown={opened !== null}>
          <OpenedLocation
            location={drawn}
            isShown={opened !== null}
            kept={keptOf(drawn)}
            isDownloading={isDownloading}
            session={session}
            desk={desk}
            drafts={drafts}
            modes={modes}
            onModes={setModes}
            onOpen={open}
            isSaving={isSaving}
            onSave={() => void save(drawn)}
            onFinish={(visitId) => void finish(drawn, visitId, leave)}
          />
        </DrawnAhead>
      )}
      {!opened && (
        <>
          {session.person.role === 'field_worker' && <InstallHint nowMs={offline.environment.now()} />}
          <ModeToggles modes={modes} onChange={setModes} isCompact={false} />
          {modes.scan && (
            <ScanPanel rows={null} drafts={drafts} onRestock={() => undefined} onOpen={open} onNote={null} />
          )}
        </>
      )}
      {/* Put away rather than taken down: taking a list of cards apart is felt at the tap, and so is building it again. */}
      <Activity mode={opened ? 'hidden' : 'visible'}>
        <LocationList
          isOffice={session.person.role !== 'field_worker'}
          locations={locations}
          download={status.download}
          onRetry={() => void refresh()}
          drafts={drafts}
          filter={filter}
          onFilter={setFilter}
          onOpen={open}
          onHold={hold}
          onExpect={expectNext}
          onRelease={release}
        />
      </Activity>
      <FieldFooter session={session} status={status} />
    </div>
  );
}
