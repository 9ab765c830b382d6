import { useState } from 'react';
import { ApiError } from '../../http/client.ts';
import { type Labels, type TheirChange, theirChanges } from './edit-conflict.tsx';

type Values = Record<string, string>;
type Form<V extends Values> = { values: V; set: <K extends keyof V & string>(name: K, value: V[K]) => void };

type Options<R, V extends Values> = {
  valuesOf: (record: R) => V;
  labels: Labels<V>;
  loadNewest: (record: R) => Promise<R>;
  /** A change that is nobody's edit: where all are such, this person is not told to look at them. */
  isNobodys?: (change: TheirChange) => boolean;
};

/** True when somebody else changed the row since it was read. */
export const isStale = (error: unknown): error is ApiError => error instanceof ApiError && 'version' in error.fields;

/** The answer to a save was lost on the way, and the save sent again is refused: it was this person who was quicker. */
const savedAlready = 'What you typed is saved already.';

/**
 * Puts an edit on top of somebody else's: what they changed and this person did not is taken over, what both changed keeps this
 * person's text and says what theirs is.
 */
export function useRebase<R, V extends Values>(record: R | null, options: Options<R, V>) {
  const { valuesOf, labels, loadNewest, isNobodys } = options;
  const [base, setBase] = useState(record);
  const [conflict, setConflict] = useState<{ sentence: string; changes: TheirChange[] } | null>(null);
  /** Of a refused save: the row as it is now, and whether only nobody's edits came between. Any other failure is thrown on. */
  const rebase = async (error: unknown, form: Form<V>): Promise<{ newest: R; isSettled: boolean }> => {
    if (!isStale(error) || base === null) throw error;
    const newest = await loadNewest(base);
    const theirs = valuesOf(newest);
    const changes = theirChanges(labels, { base: valuesOf(base), newest: theirs, typed: form.values });
    if (changes.length > 0 && Object.entries(theirs).every(([field, now]) => form.values[field] === now)) {
      setBase(newest);
      setConflict(null);
      throw new ApiError(error.status, error.message, { detail: savedAlready });
    }
    for (const field of Object.keys(theirs) as (keyof V & string)[]) {
      if (form.values[field] === valuesOf(base)[field]) form.set(field, theirs[field]);
    }
    setBase(newest);
    const isSettled = isNobodys !== undefined && changes.every(isNobodys);
    setConflict(isSettled ? null : { sentence: error.detail, changes });
    return { newest, isSettled };
  };
  /** Puts their text into the form in the place of this person's. */
  const take = (change: TheirChange, form: Pick<Form<V>, 'set'>): void => {
    form.set(change.field as keyof V & string, change.now as V[keyof V & string]);
    setConflict(
      (now) =>
        now && {
          ...now,
          changes: now.changes.map((one) => (one.field === change.field ? { ...one, mine: null } : one)),
        },
    );
  };
  return { base, conflict, rebase, take };
}
