import type { Category } from './operator/catalogue.ts';
import { at, share } from './random.ts';

export type SiteKind = 'office' | 'hospital' | 'school' | 'transit' | 'plant' | 'gym';

/** Sales of a day over the average day, Monday to Sunday. */
const weekdays: Record<SiteKind, readonly number[]> = {
  office: [1.35, 1.45, 1.45, 1.4, 1.2, 0.1, 0.05],
  hospital: [1.05, 1.05, 1.05, 1.05, 1.05, 0.9, 0.85],
  school: [1.4, 1.4, 1.4, 1.4, 1.3, 0.06, 0.04],
  transit: [1.1, 1.05, 1.05, 1.1, 1.2, 0.85, 0.65],
  plant: [1.2, 1.2, 1.2, 1.2, 1.1, 0.75, 0.35],
  gym: [1.2, 1.1, 1.05, 1, 0.9, 1, 0.75],
};

/** Sales of a month over the average month, January to December. */
const months: Record<SiteKind, readonly number[]> = {
  office: [1, 1.02, 1.03, 1.02, 1, 0.98, 0.92, 0.93, 1.02, 1.06, 1.03, 0.85],
  hospital: [1.05, 1.03, 1, 0.98, 0.98, 0.98, 1, 1, 0.98, 1, 1, 1.02],
  school: [1.05, 1.2, 1.15, 1.15, 1.15, 0.65, 0.25, 0.45, 1.25, 1.25, 1.15, 0.75],
  transit: [0.9, 0.92, 0.97, 1, 1.05, 1.08, 1.1, 1.1, 1.02, 0.98, 0.95, 0.93],
  plant: [0.96, 0.97, 0.98, 1, 1.03, 1.08, 1.08, 1.07, 1.02, 1, 0.97, 0.84],
  gym: [1.3, 1.15, 1.08, 1, 0.96, 0.95, 0.93, 0.92, 0.98, 0.98, 0.92, 0.83],
};

/** Parts of a day's sales by hour, midnight first. */
const hours: Record<SiteKind, readonly number[]> = {
  office: [0, 0, 0, 0, 0, 0, 1, 4, 8, 9, 11, 12, 14, 12, 12, 11, 7, 4, 2, 1, 0, 0, 0, 0],
  hospital: [3, 3, 3, 3, 2, 2, 3, 5, 6, 6, 7, 8, 8, 7, 7, 6, 6, 6, 6, 6, 5, 5, 4, 4],
  school: [0, 0, 0, 0, 0, 0, 1, 8, 8, 8, 12, 14, 16, 12, 12, 8, 5, 3, 2, 1, 0, 0, 0, 0],
  transit: [1, 1, 0, 0, 1, 4, 9, 12, 10, 6, 4, 5, 6, 5, 5, 7, 10, 12, 9, 5, 4, 3, 2, 2],
  plant: [5, 5, 6, 5, 3, 3, 6, 6, 6, 8, 7, 9, 8, 5, 7, 6, 4, 5, 6, 6, 5, 5, 5, 5],
  gym: [0, 0, 0, 0, 1, 6, 9, 8, 6, 5, 4, 5, 6, 5, 4, 5, 9, 13, 12, 8, 4, 2, 0, 0],
};

export const paymentMethods = ['cash', 'credit', 'contactless', 'mobile'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Parts of sales by payment method, in the order of `paymentMethods`; a market's kiosk takes hardly any cash. */
const payments: Record<SiteKind | 'market', readonly number[]> = {
  office: [14, 32, 38, 16],
  hospital: [28, 36, 28, 8],
  school: [32, 22, 30, 16],
  transit: [26, 30, 34, 10],
  plant: [40, 34, 20, 6],
  gym: [8, 30, 42, 20],
  market: [2, 48, 32, 18],
};

const cold: ReadonlySet<Category> = new Set(['Soda', 'Water', 'Juice', 'Energy', 'Tea and coffee', 'Frozen']);
/** Cold things over their average by month, January to December. */
const coldMonths = [0.82, 0.84, 0.9, 0.98, 1.08, 1.18, 1.26, 1.24, 1.1, 0.96, 0.86, 0.82];

/** Expected sales of a day over the location's average day. */
export function demandFactor(kind: SiteKind, day: { weekday: number; month: number }): number {
  return at(weekdays[kind], day.weekday) * at(months[kind], day.month);
}

/** Minutes since midnight of a sale, from a number of chance. */
export function saleMinute(kind: SiteKind, chance: number): number {
  const hour = drawn(hours[kind], chance);
  return hour.index * 60 + hour.rest * 60;
}

export function paymentOf(kind: SiteKind | 'market', chance: number): PaymentMethod {
  return at(paymentMethods, drawn(payments[kind], chance).index);
}

/** How much an item draws buyers beside its neighbours: a few sell well, most slowly. */
export function pull(itemNumber: number, seed: number): number {
  const a = share(seed, itemNumber, 1);
  return 0.15 + 2.6 * a ** 3;
}

export function seasonOf(category: Category | null, month: number): number {
  return category && cold.has(category) ? at(coldMonths, month) : 1;
}

/** Which of the weighted parts a number from 0 to 1 falls into, and where within it. */
function drawn(weights: readonly number[], chance: number): { index: number; rest: number } {
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  for (let index = 0; index < weights.length; index++) {
    const weight = at(weights, index);
    if (left < weight) return { index, rest: left / weight };
    left -= weight;
  }
  return { index: weights.length - 1, rest: 0.999 };
}
