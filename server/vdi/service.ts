import { createHash } from 'node:crypto';
import type { WebhookContext } from '../../connectors/connector.ts';
import { isSecond } from '../../connectors/nama-vdi/client.ts';
import { EnvelopeError, writeFault, writeResult, writeStructuredResult } from '../../connectors/nama-vdi/envelope.ts';
import { admission, mapDocument } from '../../connectors/nama-vdi/map.ts';
import { type Carried, isPeer, isSignedIn, openRequest } from '../../connectors/nama-vdi/webhook.ts';
import { XmlError } from '../../connectors/nama-vdi/xml.ts';
import type { VendorBatch } from '../../domain/integration.ts';
import type { Db } from '../db/database.ts';
import { againOnConflict } from '../db/statements/again.ts';
import type { Deps } from '../deps.ts';
import { takeDexReads } from '../dex/service.ts';
import { type ConfigRow, findConfigs, openPreviousSettings, openSettings } from '../integrations/service.ts';
import { getOperator } from '../settings/service.ts';
import { hash, recordPush, takeBatch } from '../vendor-sync/service.ts';
import { countRepeat, emptyBodies, insertDocument, updateDocument } from './queries.ts';

export { tellOwnRecords } from './outgoing.ts';

const keptDays = 30;

export type Reply = { status: number; body: string };
export type Sender = { config: ConfigRow; context: WebhookContext };

const text = (body: string, status = 200): Reply => ({ status, body });

/** The active configuration whose sign-in a request carries; null: none. */
export async function findSender(deps: Deps, authorization: string | undefined): Promise<Sender | null> {
  const { timeZone } = await getOperator(deps.db);
  const configs = await findConfigs(deps.db, 'nama_vdi');
  for (const config of configs.filter((one) => one.isActive)) {
    const settings = await openSettings(deps, config);
    const previousSettings = await openPreviousSettings(deps, config);
    const context = { settings, previousSettings, now: () => deps.clock.now(), hash, timeZone };
    const sets = [settings, previousSettings].filter((set) => set !== null);
    if (sets.some((set) => isSignedIn(authorization, set, context))) return { config, context };
  }
  return null;
}

/**
 * Takes one document. The same transaction id with the same bytes is acknowledged without effect, with other bytes it is an
 * error. What is switched off is acknowledged and dropped: otherwise senders would queue it for ever. Answers come with
 * status 200, as the exchange has it; only what is no call at all is a fault.
 */
export async function exchange(deps: Deps, sender: Sender, body: Buffer): Promise<Reply> {
  try {
    return await take(deps, sender, openRequest(body), body);
  } catch (error) {
    if (error instanceof EnvelopeError) return text(writeFault(error.code, error.message), 500);
    if (error instanceof XmlError) return text(writeFault('Client', error.message), 500);
    throw error;
  }
}

async function take(deps: Deps, sender: Sender, carried: Carried, body: Buffer): Promise<Reply> {
  const { settings } = sender.context;
  const print = createHash('sha256').update(body).digest('hex');
  if ('dex' in carried) {
    const read = { deviceId: null, serialNumber: null, bytes: carried.dex, readAt: null };
    const isTaken = settings.enableDexData !== false;
    const about = { id: `dex:${print}`, type: 'x-dex', print, body };
    return store(deps, sender, about, isTaken ? { dexReads: [read] } : null);
  }
  const { document } = carried;
  const { type, transactionId } = document.header;
  if (!isPeer(document, settings))
    return refuse(settings, `Sender ${document.header.providerId} is not expected here.`);
  if (transactionId === '') return refuse(settings, 'TransactionID is missing.');
  const admitted = admission(type, settings);
  if (admitted === 'refuse') return refuse(settings, `Documents of type ${type || 'none'} are not taken here.`);
  const batch = admitted === 'take' ? mapDocument(document, { timeZone: sender.context.timeZone }) : null;
  return store(deps, sender, { id: transactionId, type, print, body }, batch);
}

type Settings = WebhookContext['settings'];

function refuse(settings: Settings, message: string): Reply {
  return text(isSecond(settings) ? writeStructuredResult(false, message, []) : writeResult(message));
}

function accept(settings: Settings, rejected: { id: string; reason: string }[]): Reply {
  return text(isSecond(settings) ? writeStructuredResult(true, 'OK', rejected) : writeResult('SUCCESS'));
}

type About = { id: string; type: string; print: string; body: Buffer };

async function store(deps: Deps, sender: Sender, about: About, batch: VendorBatch | null): Promise<Reply> {
  const { config, context } = sender;
  const at = deps.clock.now();
  return againOnConflict(() =>
    deps.db.transaction(async (tx) => {
      const transactionId = about.id.slice(0, 200);
      const made = await insertDocument(tx, {
        configId: config.id,
        transactionId,
        documentType: about.type.slice(0, 50),
        contentHash: about.print,
        body: about.body,
        receivedAt: at,
      });
      if (made === null) return repeated(tx, sender, { ...about, id: transactionId });
      if (!batch) return accept(context.settings, []);
      const rejected = await storeBatch(tx, sender, batch, { at, type: about.type });
      const records = Object.values(batch).reduce((sum, list) => sum + list.length, 0);
      await updateDocument(tx, made, { records, rejected });
      return accept(context.settings, rejected);
    }),
  );
}

async function repeated(tx: Db, { config, context }: Sender, about: About): Promise<Reply> {
  const known = await countRepeat(tx, config.id, about.id);
  if (known?.contentHash === about.print) return accept(context.settings, known.rejected);
  return refuse(context.settings, `Transaction ${about.id} was received before with other content.`);
}

async function storeBatch(tx: Db, { config }: Sender, batch: VendorBatch, told: { at: Date; type: string }) {
  const { dexReads = [], ...records } = batch;
  const counts = await takeBatch(tx, { config, at: told.at, heardAt: told.at }, records);
  const dex = await takeDexReads(tx, { config, at: told.at }, dexReads);
  const unreadable = (batch.unreadable ?? []).map(({ reason }) => ({ id: '', reason }));
  const rejected = [...unreadable, ...dex.refused];
  await recordPush(tx, config, {
    jobType: told.type,
    counts: { ...counts, processed: counts.processed + dexReads.length },
    errors: rejected.map(({ id, reason }) => (id === '' ? reason : `${id}: ${reason}`)),
    at: told.at,
  });
  return rejected.slice(0, 200);
}

/** Raw documents are kept for 30 days. */
export async function purgeDocuments(deps: Deps): Promise<void> {
  await emptyBodies(deps.db, new Date(deps.clock.now().getTime() - keptDays * 86_400_000));
}
