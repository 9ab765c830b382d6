import { cleanup, render, screen } from '@testing-library/react';
import type { Changes } from '../../../contract/sync.ts';
import type { Answer, Call } from '../../offline/environment.ts';
import { createOffline, type Offline } from '../../offline/offline.ts';
import { OfflineProvider } from '../../offline/offline-context.tsx';
import type { Entry } from '../../offline/outbox/records.ts';
import { rememberSession } from '../../offline/session.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../../offline/testing/fake-phone.ts';
import { ScriptedServer } from '../../offline/testing/scripted-server.ts';
import { dismissToast, toastStore } from '../../ui/toasts/toast.ts';
import { FieldInventoryScreen } from '../field-inventory-screen.tsx';

const fieldDay = { routes: ['101'], routesAssigned: 1, completedStops: 0, totalStops: 4, todaysUpdates: 7 };

let databases = 0;
const stops: (() => void)[] = [];

/** After each test: a phone that goes on sending would talk into the next one. */
export function stopPhones(): void {
  cleanup();
  for (const stop of stops.splice(0)) stop();
  for (const { id } of toastStore.get()) dismissToast(id);
  sessionStorage.clear();
}

/** The screen on a phone with a server in memory behind a network that can be cut. */
export class Phone {
  readonly clock = new FakeClock();
  readonly server = new ScriptedServer(this.clock.now);
  readonly databaseName = `screen-${++databases}`;
  isOnline = true;
  dayCalls = 0;
  /** Barcodes that were sent to the catalogue, and what it answers. */
  readonly barcodes: unknown[] = [];
  barcodeAnswer: Answer = { outcome: 'answered', body: {} };
  /** Answers the pages after the first one of a download, where a test has several. */
  laterPage: (() => Promise<Answer>) | null = null;
  offline: Offline;
  changes: Changes;

  constructor(changes: Changes) {
    this.changes = changes;
    this.offline = this.boot();
  }

  private boot(): Offline {
    const transport = async (call: Call): Promise<Answer> => {
      if (!this.isOnline) return { outcome: 'unreachable' };
      if (call.path.includes('?cursor=') && this.laterPage) return this.laterPage();
      if (call.path.startsWith('/api/sync/changes')) return { outcome: 'answered', body: this.changes };
      if (call.path === '/api/field-day') {
        this.dayCalls += 1;
        return { outcome: 'answered', body: fieldDay };
      }
      if (call.path.endsWith('/barcodes')) {
        this.barcodes.push(call.body);
        return this.barcodeAnswer;
      }
      return this.server.transport(call);
    };
    return createOffline(fakeEnvironment(this.clock, transport, this.databaseName));
  }

  async open(search = ''): Promise<void> {
    cleanup();
    this.offline = this.boot();
    this.offline.online.setConnected(this.isOnline);
    stops.push(this.offline.start());
    window.history.replaceState(null, '', `/mobile-inventory${search}`);
    render(
      <OfflineProvider offline={this.offline}>
        <FieldInventoryScreen />
      </OfflineProvider>,
    );
    await screen.findByRole('heading', { name: 'Field Inventory' });
  }

  goOffline(): void {
    this.isOnline = false;
    this.offline.online.setConnected(false);
  }

  /** The changes of stock alone, without what is said of the visit. */
  async stockEntries(): Promise<Entry[]> {
    return (await this.entries()).filter((entry) => entry.type === 'stock-event');
  }

  entries(): Promise<Entry[]> {
    return this.offline.store.read(['outbox'], (tx) => tx.objectStore('outbox').getAll());
  }
}

/** Signed in, everything downloaded, and opened. */
export async function startPhone(changes: Changes, search = ''): Promise<Phone> {
  const phone = new Phone(changes);
  await rememberSession(phone.offline, buildSession(1));
  await phone.offline.refresh();
  await phone.open(search);
  return phone;
}
