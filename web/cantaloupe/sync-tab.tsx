import { useRef } from 'react';
import type { CantaloupeConfig } from '../../contract/cantaloupe.ts';
import { sentenceOf } from '../http/client.ts';
import { countOf, formatDateTime, formatNumber } from '../http/format.ts';
import { nextSyncText } from '../integrations/next-sync.ts';
import { Button } from '../ui/button.tsx';
import { Copyable } from '../ui/copyable.tsx';
import { mostText, useSendReport, useSync } from './api.ts';

/** Reading now, the address that reports are posted to, and reports exported by hand. */
export function SyncTab({ config, mayWrite }: { config: CantaloupeConfig; mayWrite: boolean }) {
  const devices = useSync('devices');
  const transactions = useSync('transactions');
  const off = !mayWrite || !config.isActive || devices.isPending || transactions.isPending;
  return (
    <div className="grid gap-6 p-4">
      <section className="grid gap-2">
        <h3 className="font-semibold">Sync now</h3>
        <p className="text-text-2">
          {config.lastSyncAt ? `Last synced ${formatDateTime(config.lastSyncAt)}.` : 'Never synced.'} Transactions are
          also read by themselves every 15 minutes.
          {config.environment === 'production' &&
            !config.apiEndpoint &&
            ' In production the vendor publishes no address to read from: reports bring everything.'}
        </p>
        <p className="text-text-2">Next sync: {nextSyncText(config.nextSync)}</p>
        <div className="flex flex-wrap gap-2">
          <Button
            icon="refresh"
            disabled={off}
            pending={devices.isPending}
            pendingLabel="Syncing..."
            onClick={() => devices.mutate(config.id)}
            className="max-lg:min-h-12"
          >
            Sync Devices
          </Button>
          <Button
            icon="refresh"
            disabled={off}
            pending={transactions.isPending}
            pendingLabel="Syncing..."
            onClick={() => transactions.mutate(config.id)}
            className="max-lg:min-h-12"
          >
            Sync Transactions
          </Button>
        </div>
        {!config.isActive && <p className="text-12 text-text-3">Inactive: activate the configuration to sync.</p>}
      </section>
      {config.webhookPath && <Address path={config.webhookPath} />}
      <Upload config={config} mayWrite={mayWrite} />
    </div>
  );
}

function Address({ path }: { path: string }) {
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">Webhook address</h3>
      <p className="text-text-2">
        In Cantaloupe: Reports, Report Register, a transport of kind HTTP POST with this address and the sign-in and
        password of this configuration. Register transactions, line items and DEX files on it.
      </p>
      <Copyable text={`${window.location.origin}${path}`} what="Address" />
    </section>
  );
}

function Upload({ config, mayWrite }: { config: CantaloupeConfig; mayWrite: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const send = useSendReport();
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">Report file</h3>
      <p className="text-text-2">
        A report exported by hand from the portal, or a DEX file: CSV, ZIP or GZ up to {mostText}. What is known already
        is not counted twice.
      </p>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.zip,.gz,.dex,.xml"
        aria-label="Report file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) send.mutate({ configId: config.id, file });
          event.target.value = '';
        }}
      />
      <div>
        <Button
          icon="upload"
          disabled={!mayWrite}
          pending={send.isPending}
          pendingLabel="Reading…"
          onClick={() => input.current?.click()}
          className="max-lg:min-h-12"
        >
          Choose File
        </Button>
      </div>
      {send.error && (
        <p role="alert" className="text-bad-text">
          {sentenceOf(send.error)}
        </p>
      )}
      {send.data && (
        <div role="status" className="text-text-2">
          <p>
            {countOf(send.data.counts.sales, 'transaction')} read, {formatNumber(send.data.counts.booked)} of them new;{' '}
            {countOf(send.data.counts.devices, 'device')}.
          </p>
          {send.data.unreadable.length > 0 && (
            <ul className="mt-2 list-disc pl-5">
              {send.data.unreadable.slice(0, 10).map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </section>
  );
}
