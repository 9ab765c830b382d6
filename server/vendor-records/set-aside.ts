import type { VendorBatch } from '../../domain/integration.ts';

type Ids = { vendorId: string; deviceId?: string | null; integrationId?: string | null; raw: unknown };
type Unreadable = NonNullable<VendorBatch['unreadable']>[number];

/** What the columns of ids take; cut, two records would pass for one. */
const mostOf = { vendorId: 200, deviceId: 200, integrationId: 300, transactionId: 100, line: 100 } as const;
const words = {
  vendorId: 'id',
  deviceId: 'device’s id',
  integrationId: 'place’s id',
  transactionId: 'transaction’s id',
  line: 'line’s id',
} as const;

/** Puts records whose ids are too long to keep among the unreadable ones: one of them must not fail its whole page. */
export function setLongIdsAside(batch: VendorBatch): VendorBatch {
  const aside: Unreadable[] = [];
  const keep = <R extends Ids>(
    list: readonly R[] | undefined,
    idsOf: (record: R) => object = (record) => record,
  ): R[] =>
    (list ?? []).filter((record) => {
      const reason = reasonOf(idsOf(record));
      if (reason) aside.push({ reason, raw: record.raw });
      return reason === null;
    });
  const kept = {
    devices: keep(batch.devices),
    products: keep(batch.products),
    stock: keep(batch.stock),
    sales: keep(batch.sales, ({ ledger, ...sale }) => ({ ...sale, ...ledger })),
    alerts: keep(batch.alerts),
  };
  return aside.length > 0 ? { ...batch, ...kept, unreadable: [...(batch.unreadable ?? []), ...aside] } : batch;
}

function reasonOf(ids: object): string | null {
  const given = new Map(Object.entries(ids));
  for (const name of Object.keys(mostOf) as (keyof typeof mostOf)[]) {
    const id = given.get(name);
    if (typeof id === 'string' && id.length > mostOf[name])
      return `Its ${words[name]} has ${id.length} characters: at most ${mostOf[name]} are kept. Nothing of it was taken.`;
  }
  return null;
}
