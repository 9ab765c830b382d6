import type { Delivery } from '../../connectors/connector.ts';
import type { DeliveryRow } from './inbox.ts';

/** Little enough that who waits for the database waits for a moment only. */
const mostTogether = 25;
/** Clocks of machines are judged by when a message came: those together came at the same time, as far as that goes. */
const sameTimeMs = 5_000;

export type Read = { delivery: DeliveryRow; told: Delivery };

export const nothing: Delivery = { batch: {}, pull: [] };

/** Parts of a list by what they share, each in the order of the list. */
export function groups<T>(list: readonly T[], by: (one: T) => unknown): T[][] {
  const parts = new Map<unknown, T[]>();
  for (const one of list) parts.set(by(one), [...(parts.get(by(one)) ?? []), one]);
  return [...parts.values()];
}

/**
 * Messages that are stored with one transaction, in their order. Only such as tell of sales alone, each of them once: of
 * everything else, and of a sale told twice, it matters which came first.
 */
export function storedTogether(read: readonly Read[]): Read[][] {
  const parts: Read[][] = [];
  let part: Read[] = [];
  let known = new Set<string>();
  for (const one of read) {
    const ids = saleIds(one);
    const [first] = part;
    const fits =
      ids !== null &&
      part.length < mostTogether &&
      first !== undefined &&
      saleIds(first) !== null &&
      one.delivery.receivedAt.getTime() - first.delivery.receivedAt.getTime() <= sameTimeMs &&
      !ids.some((id) => known.has(id));
    if (!fits) {
      part = [];
      known = new Set();
      parts.push(part);
    }
    part.push(one);
    for (const id of ids ?? []) known.add(id);
  }
  return parts;
}

/** The sales of a message; null where it tells of something else. */
function saleIds({ told: { batch } }: Read): string[] | null {
  const { sales = [], ...others } = batch;
  const isMore = Object.values(others).some((list) => list !== undefined && list.length > 0);
  return isMore ? null : sales.map(({ vendorId }) => vendorId);
}
