import { durationText, kmToMiles } from '../../domain/units.ts';
import { countOf, formatMiles } from '../http/format.ts';
import type { costOf } from './arrangement.ts';

export const distanceText = (km: number): string => formatMiles(kmToMiles(km));

/** '+6 min driving, +1.9 mi', and what gets too long or too late. */
export function costText(cost: ReturnType<typeof costOf>): string {
  const sign = (value: number, text: string): string => `${value > 0 ? '+' : '−'}${text}`;
  const parts = [
    cost.minutes === 0 ? 'Same driving time' : sign(cost.minutes, `${durationText(Math.abs(cost.minutes))} driving`),
    ...(cost.km === 0 ? [] : [sign(cost.km, distanceText(Math.abs(cost.km)))]),
    ...(cost.overShiftMin > 0 ? [`${durationText(cost.overShiftMin)} over the shift`] : []),
    ...(cost.overTotes > 0 ? [`${countOf(cost.overTotes, 'tote')} too many`] : []),
    ...(cost.lateStops > 0 ? [`${countOf(cost.lateStops, 'stop')} too late`] : []),
  ];
  return parts.join(', ');
}
