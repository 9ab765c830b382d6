import type { VendorBatch, VendorSale } from '../../domain/integration.ts';
import { decimalOf } from './batch.ts';

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

/**
 * Puts records that cannot be kept among the unreadable ones: one whose id is too long must not fail its whole page, and an amount that
 * is none makes every sum it is part of none.
 */
export function setAside(batch: VendorBatch): VendorBatch {
  const aside: Unreadable[] = [];
  const keep = <R extends Ids>(
    list: readonly R[] | undefined,
    reasonOf: (record: R) => string | null = tooLongId,
  ): R[] =>
    (list ?? []).filter((record) => {
      const reason = reasonOf(record);
      if (reason) aside.push({ reason, raw: record.raw });
      return reason === null;
    });
  const kept = {
    devices: keep(batch.devices),
    products: keep(batch.products),
    stock: keep(batch.stock),
    sales: keep(batch.sales, (sale) => tooLongId({ ...sale, ...sale.ledger }) ?? noAmount(sale)),
    alerts: keep(batch.alerts),
  };
  return aside.length > 0 ? { ...batch, ...kept, unreadable: [...(batch.unreadable ?? []), ...aside] } : batch;
}

function tooLongId(ids: object): string | null {
  const given = new Map(Object.entries(ids));
  for (const name of Object.keys(mostOf) as (keyof typeof mostOf)[]) {
    const id = given.get(name);
    if (typeof id === 'string' && id.length > mostOf[name])
      return `Its ${words[name]} has ${id.length} characters: at most ${mostOf[name]} are kept. Nothing of it was taken.`;
  }
  return null;
}

function noAmount({ vendorId, unitPrice, amount }: VendorSale): string | null {
  const told = [unitPrice, amount].find((text) => decimalOf(text) === null);
  if (told === undefined) return null;
  return `The sale ${vendorId} has an amount that cannot be read: ${told.slice(0, 40)}. Nothing of it was taken.`;
}
