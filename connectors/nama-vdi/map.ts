import type { Settings, VendorBatch } from '../../domain/integration.ts';
import { readAlerts, readDevices, readKiosks, readPlanogram } from './devices.ts';
import { readDexTransmissions } from './dex-transmission.ts';
import type { VdiDocument } from './document.ts';
import { type Reading, readAccountTransactions, readCollections, readSales } from './sales.ts';

/** Which switch of a configuration lets a document in; `operational` data are kiosks and alerts. */
const gates: Record<string, 'enableTransactionData' | 'enableOperationalData' | 'enableDexData'> = {
  'mms-sales': 'enableTransactionData',
  'mms-transactions': 'enableTransactionData',
  'mms-collections': 'enableTransactionData',
  'mms-kiosks': 'enableOperationalData',
  'x-devices': 'enableOperationalData',
  'x-alerts': 'enableOperationalData',
  'x-planogram': 'enableOperationalData',
  'x-dex': 'enableDexData',
};

/** Types that the management side receives; consumers' accounts are acknowledged and not kept: we have no use for them. */
const acceptedTypes = new Set([...Object.keys(gates), 'mms-consumers']);

/** How a document of a type is treated: taken, acknowledged and dropped, or refused. */
export function admission(type: string, settings: Settings): 'take' | 'drop' | 'refuse' {
  if (!acceptedTypes.has(type)) return 'refuse';
  const gate = gates[type];
  return gate !== undefined && settings[gate] !== false ? 'take' : 'drop';
}

type Context = { timeZone: string; currency?: string };

/** Everything a document holds, in our shapes. What it holds of no use to us is left out. */
export function mapDocument({ header, root }: VdiDocument, context: Context): VendorBatch {
  const unreadable: { reason: string; raw: unknown }[] = [];
  const reading: Reading = {
    header,
    timeZone: context.timeZone,
    currency: context.currency ?? 'USD',
    refuse: (reason, id, raw) => unreadable.push({ reason: id === '' ? reason : `${reason} (${id})`, raw }),
  };
  return { ...contentOf(header.type, root, reading), ...(unreadable.length ? { unreadable } : {}) };
}

function contentOf(type: string, root: VdiDocument['root'], reading: Reading): VendorBatch {
  if (type === 'mms-sales') return { sales: readSales(root, reading) };
  if (type === 'mms-transactions') return { sales: readAccountTransactions(root, reading) };
  if (type === 'mms-collections') return { sales: readCollections(root, reading) };
  if (type === 'mms-kiosks') return { devices: readKiosks(root, reading) };
  if (type === 'x-devices') return { devices: readDevices(root, reading) };
  if (type === 'x-alerts') return { alerts: readAlerts(root, reading) };
  if (type === 'x-planogram') return { stock: readPlanogram(root, reading) };
  if (type === 'x-dex') return { dexReads: readDexTransmissions(root, reading) };
  return {};
}
