import type { FieldStatus } from '../../domain/stock-status.ts';
import { formatDate, formatTime } from '../http/format.ts';

export const stockWord: Record<FieldStatus, string> = { out: 'Out', low: 'Low', good: 'Good' };

/** A machine slot without a minimum of its own is only out or in stock. */
export function slotWord(status: FieldStatus, minimum: number): string {
  return status === 'good' && minimum === 0 ? 'In stock' : stockWord[status];
}

/** 'h:mm a' today, with the date before it on other days. */
export function clockTime(instant: string, nowMs: number): string {
  const day = formatDate(instant);
  return day === formatDate(new Date(nowMs)) ? formatTime(instant) : `${day}, ${formatTime(instant)}`;
}
