import { useState } from 'react';
import type { Labels, TheirChange } from './edit-conflict.tsx';

type Values = Record<string, string>;
type Form<V extends Values> = { values: V; pending: boolean };

/**
 * What somebody else saved of the very fields this person is typing in. A live form keeps the text and would put it over
 * theirs without a word.
 */
export function useOvertaken<V extends Values>(newest: V, form: Form<V>, labels: Labels<V>): TheirChange[] {
  const [seen, setSeen] = useState(newest);
  const [was, setWas] = useState<Values>({});
  const fields = Object.keys(labels) as (keyof V & string)[];
  const changed = fields.filter((field) => seen[field] !== newest[field]);
  if (changed.length > 0) {
    // While it is being saved, what comes back is this person's own.
    const both = form.pending ? [] : changed.filter((field) => form.values[field] !== seen[field]);
    setSeen(newest);
    setWas({
      ...Object.fromEntries(Object.entries(was).filter(([field]) => form.values[field] !== newest[field])),
      ...Object.fromEntries(both.map((field) => [field, seen[field] ?? ''])),
    });
  }
  return fields.flatMap((field) => {
    const [before, now, mine] = [was[field], newest[field] ?? '', form.values[field] ?? ''];
    if (before === undefined || mine === now) return [];
    return [{ field, label: labels[field] ?? field, was: before, now, mine }];
  });
}

export const overtakenSentence = 'Somebody else changed this in the meantime. Saving puts yours in its place.';
