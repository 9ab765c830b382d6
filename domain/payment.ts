import { z } from 'zod';
import { systemLabel } from './integration-labels.ts';

/** A refund is a completed payment with money going back; failed and pending payments bring nothing. */
export const paymentStatus = z.enum(['completed', 'failed', 'pending']);

/** Where payments come from that no partner system tells of. */
const otherSources: Record<string, string> = {
  import: 'Imported files',
  simulator: 'Demo history',
  dex: 'DEX readings',
};

const partnerLabel: Record<string, string> = { ...systemLabel, nayax: 'Nayax' };

const prefixes: Record<string, string> = {
  cantaloupe: 'CT',
  nayax: 'NT',
  lightspeed: 'LT',
  moma: 'MT',
  nama_vdi: 'VT',
  import: 'IM',
  simulator: 'DM',
  dex: 'DX',
};

/** How a source of payments is called on screens. */
export function paymentSource(system: string): string {
  return partnerLabel[system] ?? otherSources[system] ?? system;
}

/** The id a payment is shown under: two letters of its system, then the system's own id. */
export function paymentNumber(system: string, id: string): string {
  return `${prefixes[system] ?? 'PT'}-${id}`;
}

const methodLabel: Record<string, string> = {
  cash: 'Cash',
  credit: 'Credit card',
  contactless: 'Contactless card',
  mobile: 'Phone wallet',
  prepaid: 'Prepaid card',
};

/** A way of paying as people say it; others as the system wrote them. */
export function methodText(method: string): string {
  if (method === '') return 'Not told';
  return methodLabel[method] ?? method.charAt(0).toUpperCase() + method.slice(1);
}

/** What a payment was for; a line that gives money back is called so where nobody tells for what. Null: not told. */
export function paidFor({ productName, amount }: { productName: string | null; amount: string }): string | null {
  return productName ?? (amount.startsWith('-') ? 'Refund' : null);
}
