import type { ReturnReason } from './field-event.ts';

/** Why units come back to the warehouse, in the words that the driver and the office both read. */
export const returnLabel: Readonly<Record<ReturnReason, string>> = {
  unused: 'Not needed',
  removed: 'Taken out, still good',
  expired: 'Expired',
  damaged: 'Damaged',
  other: 'Other',
};
