/** When something needs a person now, and how much. Thresholds in minutes, hours and slots, as named. */

export type Severity = 'critical' | 'high' | 'medium' | 'low';

/** A phone silent for longer than this is out of use. */
export const phoneForgottenAfterDays = 14;

/** Late by two hours: the day cannot be saved without a person; by one: the next customers notice. */
export function lateSeverity(lateMin: number): Severity {
  if (lateMin >= 120) return 'critical';
  return lateMin >= 60 ? 'high' : 'medium';
}

/** From five days on, a browser may soon clear what a phone holds. */
export function silentPhoneSeverity(silentHours: number): Severity {
  return silentHours >= 5 * 24 ? 'critical' : 'high';
}

/**
 * A partner that cannot be read: nothing comes until a person puts right what only a person can; else it mostly comes back by itself
 * within a day.
 */
export function partnerSeverity(failingHours: number, waitsForPerson: boolean): Severity {
  return waitsForPerson || failingHours >= 24 ? 'high' : 'medium';
}

/** By the number of sold-out slots of one machine. */
export function soldOutSeverity(slots: number): Severity {
  if (slots >= 10) return 'critical';
  return slots >= 4 ? 'high' : 'medium';
}

const weight: Record<Severity, number> = { critical: 0, high: 1, medium: 2, low: 3 };

/** Order of a list of exceptions: the worst first, of equals the oldest. `since` is an ISO instant. */
export function worstFirst(a: { severity: Severity; since: string }, b: { severity: Severity; since: string }): number {
  return weight[a.severity] - weight[b.severity] || Date.parse(a.since) - Date.parse(b.since);
}

/** A span in words at the scale a person needs: `42 min`, `5 h`, `3 days`. */
export function spanText(minutes: number): string {
  if (minutes < 120) return `${Math.floor(minutes)} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
