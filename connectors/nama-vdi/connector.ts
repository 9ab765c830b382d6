import type { VendorBatch, VendorResource } from '../../domain/integration.ts';
import type { Connector, PullPage, PullRequest, VendorContext } from '../connector.ts';
import { VendorError } from '../connector.ts';
import { askFor, isSecond, testConnection } from './client.ts';
import { readDocument } from './document.ts';
import { manifest } from './manifest.ts';
import { admission, mapDocument } from './map.ts';
import { webhook } from './webhook.ts';
import { XmlError } from './xml.ts';

const wanted: Partial<Record<VendorResource, string>> = {
  devices: 'x-devices mms-kiosks',
  sales: 'mms-sales mms-transactions mms-collections x-dex',
  alerts: 'x-alerts',
};

/** Joins what several documents of one answer hold. */
function joined(batches: readonly VendorBatch[]): VendorBatch {
  const all = <K extends keyof VendorBatch>(key: K) =>
    batches.flatMap((batch) => [...(batch[key] ?? [])]) as unknown as NonNullable<VendorBatch[K]>;
  return {
    devices: all('devices'),
    stock: all('stock'),
    sales: all('sales'),
    alerts: all('alerts'),
    dexReads: all('dexReads'),
    unreadable: all('unreadable'),
  };
}

function batchOf(document: string, context: VendorContext): VendorBatch {
  try {
    const read = readDocument(document);
    return admission(read.header.type, context.settings) === 'take' ? mapDocument(read, context) : {};
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new VendorError('nama_vdi', 'bad-data', `A document of the answer cannot be read. ${error.message}`, error);
  }
}

/**
 * The standard is push in both directions: version 1.0 has nothing to pull, its documents come to our own address. Version
 * 2.0 asks by our own extension.
 */
async function pull(resource: VendorResource, request: PullRequest, context: VendorContext): Promise<PullPage> {
  const type = wanted[resource];
  if (type === undefined || !isSecond(context.settings)) return { batch: {}, cursor: request.cursor, more: false };
  const cursor = typeof request.cursor === 'string' ? request.cursor : null;
  const answer = await askFor(context, { wanted: type, since: request.since, cursor });
  const batch = joined(answer.documents.map((document) => batchOf(document, context)));
  // A side that names no place to go on from has told everything it has; the next run says since when it asks.
  return { batch, cursor: answer.cursor, more: answer.cursor !== null && answer.documents.length > 0 };
}

export const namaVdi: Connector = { manifest, testConnection, pull, webhook };
