import { AppError } from '../../domain/errors.ts';
import { statusBeside } from '../../domain/location.ts';

/** Refuses an edit to a status that is none of ours, unless it is the one that stands. */
export function requireStatus(status: string | undefined, held: string): void {
  if (status === undefined) return;
  const { error } = statusBeside(held).safeParse(status);
  if (!error) return;
  const sentence = error.issues[0]?.message ?? '';
  throw new AppError('invalid-input', sentence, { fields: { status: sentence } });
}
