import type { FieldDay } from '../../contract/sync.ts';
import { keepAnswer } from '../offline/kept/answers-kept.ts';
import type { Offline } from '../offline/offline.ts';

export const fieldDayKey = 'field-day';

function isFieldDay(body: unknown): body is FieldDay {
  return typeof body === 'object' && body !== null && 'todaysUpdates' in body && 'routes' in body;
}

/** Fetches the person's day in figures and keeps it for the time without a network. */
export async function refreshFieldDay(offline: Offline): Promise<void> {
  const answer = await offline.environment.transport({ method: 'GET', path: '/api/field-day' });
  if (answer.outcome === 'answered' && isFieldDay(answer.body)) await keepAnswer(offline, fieldDayKey, answer.body);
}
