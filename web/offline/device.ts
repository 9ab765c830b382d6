import type { OfflineEnvironment } from './environment.ts';
import type { Meta, MetaRecord } from './outbox/records.ts';
import type { ReadTx, Store, WriteTx } from './outbox/store.ts';
import { tick, uuidV4, uuidV7 } from './uuid.ts';

export async function getMeta<K extends keyof Meta>(tx: ReadTx | WriteTx, key: K): Promise<Meta[K] | undefined> {
  const record = await tx.objectStore('meta').get(key);
  // The key tells which shape the value has; the compiler cannot follow that through the store.
  return record?.value as Meta[K] | undefined;
}

export async function putMeta(tx: WriteTx, record: MetaRecord): Promise<void> {
  await tx.objectStore('meta').put(record);
}

type Source = Pick<OfflineEnvironment, 'now' | 'randomBytes'>;

async function deviceOf(tx: WriteTx, source: Source): Promise<Meta['device']> {
  const known = await getMeta(tx, 'device');
  return known ?? { deviceId: uuidV4(source.randomBytes), seq: 0, uuidMs: 0, uuidCount: 0 };
}

/** The name of this phone, made at first use and kept for good. A phone that has one writes nothing: it may be full. */
export async function deviceId(store: Store, source: Source): Promise<string> {
  const known = await store.read(['meta'], (tx) => getMeta(tx, 'device'));
  if (known) return known.deviceId;
  return store.write(['meta'], async (tx) => {
    const device = await deviceOf(tx, source);
    await putMeta(tx, { key: 'device', value: device });
    return device.deviceId;
  });
}

/** Numbers and ids for `count` new entries, rising per device, inside the caller's transaction. */
export async function nextNumbers(tx: WriteTx, source: Source, count: number): Promise<{ seq: number; id: string }[]> {
  let device = await deviceOf(tx, source);
  const numbers: { seq: number; id: string }[] = [];
  for (let i = 0; i < count; i++) {
    device = { ...device, ...tick(device, source.now()), seq: device.seq + 1 };
    numbers.push({ seq: device.seq, id: uuidV7(device, source.randomBytes) });
  }
  await putMeta(tx, { key: 'device', value: device });
  return numbers;
}

/** Remembers the server's time; it only moves forward. */
export async function rememberContact(tx: WriteTx, serverTime: string, nowMs: number): Promise<void> {
  const known = await getMeta(tx, 'contact');
  if (known && Date.parse(known.lastServerTime) >= Date.parse(serverTime)) return;
  const clockOffsetMs = Date.parse(serverTime) - nowMs;
  await putMeta(tx, { key: 'contact', value: { lastServerTime: serverTime, clockOffsetMs } });
}
