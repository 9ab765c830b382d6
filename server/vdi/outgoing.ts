import { createHash } from 'node:crypto';
import { VendorError } from '../../connectors/connector.ts';
import { headerFor, sealDocument, sendCall } from '../../connectors/nama-vdi/client.ts';
import { type Header, writeMarkets, writeProducts } from '../../connectors/nama-vdi/document.ts';
import type { Deps } from '../deps.ts';
import { requireConfig } from '../integrations/service.ts';
import { type Connection, connect, stopSignal } from '../vendor-sync/service.ts';
import {
  countAttempt,
  findCatalogs,
  findLastSent,
  findOwnMarkets,
  insertSent,
  lockSent,
  type OwnMarket,
  type SentRow,
  updateSent,
} from './outgoing-queries.ts';

/** Markets and catalogues of one document: with 300 products each a document stays well below 5 MB. */
const marketsPerDocument = 1_000;
const catalogsPerDocument = 20;

type Part = { type: 'mms-markets' | 'mms-products'; part: string; content: unknown; write: (header: Header) => string };

/**
 * Tells the market side of our markets and what they sell, each part only when it changed since it was acknowledged. A
 * document that was not acknowledged goes again first, the same to the byte. Returns a sentence where one was refused.
 */
export async function sendOwnRecords(deps: Deps, configId: number): Promise<string | null> {
  const config = await requireConfig(deps.db, configId, 'nama_vdi');
  const connection = await connect(deps, config, { signal: stopSignal(deps) });
  try {
    const refused: string[] = [];
    for (const part of await partsOf(deps)) {
      const reason = await sendPart(deps, { configId, connection }, part);
      if (reason !== null) refused.push(reason);
    }
    return refused[0] ? `The other side refuses our records: ${refused[0]}` : null;
  } finally {
    await connection.save();
  }
}

const inParts = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));

async function partsOf(deps: Deps): Promise<Part[]> {
  const markets = await findOwnMarkets(deps.db);
  const places = inParts(markets, marketsPerDocument).map((some, n): Part => {
    return { type: 'mms-markets', part: `markets ${n}`, content: some, write: (header) => writeMarkets(header, some) };
  });
  const catalogs: Part[] = [];
  for (const [n, some] of inParts(markets, catalogsPerDocument).entries())
    catalogs.push(await catalogPart(deps, some, n));
  return [...places, ...catalogs];
}

async function catalogPart(deps: Deps, markets: OwnMarket[], n: number): Promise<Part> {
  const content = await findCatalogs(deps.db, markets);
  // Grows with time, as the other side refuses a catalogue older than the one it has.
  const version = String(Math.floor(deps.clock.now().getTime() / 1000));
  const write = (header: Header): string =>
    writeProducts(
      header,
      content.map((catalog) => ({ ...catalog, version })),
    );
  return { type: 'mms-products', part: `products ${n}`, content, write };
}

type To = { configId: number; connection: Connection };

/** Null: acknowledged or known already; else why it was refused. */
async function sendPart(deps: Deps, to: To, part: Part): Promise<string | null> {
  const last = await findLastSent(deps.db, to.configId, part.part);
  if (last?.status === 'waiting') await send(deps, to, last);
  const { document, isNew } = await storeNext(deps, to, part);
  if (isNew) return send(deps, to, document);
  return document.status === 'refused' ? document.answer : null;
}

/** Stores the next document of a part; where the last one tells the same, that. Of two who ask at once one stores it. */
async function storeNext(deps: Deps, { configId, connection }: To, { type, part, content, write }: Part) {
  const contentHash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const header = headerFor(connection.context, type, connection.context.hash.uuid());
  return deps.db.transaction(async (tx) => {
    await lockSent(tx, configId);
    const last = await findLastSent(tx, configId, part);
    if (last?.contentHash === contentHash) return { document: last, isNew: false };
    const document = await insertSent(tx, {
      configId,
      transactionId: header.transactionId,
      documentType: type,
      part,
      contentHash,
      body: sealDocument(header, write(header)),
      createdAt: deps.clock.now(),
    });
    return { document, isNew: true };
  });
}

async function send(deps: Deps, { connection }: To, document: SentRow): Promise<string | null> {
  await countAttempt(deps.db, document.id);
  const { accepted, message } = await sendCall(connection.context, document.body);
  const status = accepted ? 'acknowledged' : 'refused';
  await updateSent(deps.db, document.id, { status, answer: message.slice(0, 500), answeredAt: deps.clock.now() });
  return accepted ? null : message;
}

/** As `sendOwnRecords`; a side that does not answer is a sentence too. */
export async function tellOwnRecords(deps: Deps, configId: number): Promise<string | null> {
  try {
    return await sendOwnRecords(deps, configId);
  } catch (error) {
    if (error instanceof VendorError) return error.message;
    throw error;
  }
}
