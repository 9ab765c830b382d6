/**
 * What is typed into a form is kept for the tab under the form's name, until it is saved or given up, or its person signs out or
 * another one signs in.
 */

export type Values = Record<string, unknown>;

/** Only what was typed: the rest of a draft would put what has changed since back to what it was. */
export function changesOf<V extends Values>(start: V, values: V): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(start[name])),
  );
}

const prefix = 'milkrun-draft-';
const ownerKey = 'milkrun-drafts-of';

export function readDraft(key: string | undefined): Values {
  if (!key) return {};
  try {
    const parsed: unknown = JSON.parse(sessionStorage.getItem(prefix + key) ?? '{}');
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    // A draft that cannot be read is no draft.
    return {};
  }
}

export function writeDraft(key: string | undefined, values: Values): void {
  if (!key) return;
  try {
    if (Object.keys(values).length === 0) dropDraft(key);
    else sessionStorage.setItem(prefix + key, JSON.stringify(values));
  } catch {
    // Storage is closed or full: the form works, only its draft would not survive a reload.
  }
}

export function dropDraft(key: string | undefined): void {
  if (key) sessionStorage.removeItem(prefix + key);
}

/** Whoever sits down at the tab next is another person, perhaps. */
export function dropAllDrafts(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
}

/** Of somebody whose session ended the drafts are still there: the next to sign in may be another person. */
export function keepDraftsOf(personId: number): void {
  const owner = sessionStorage.getItem(ownerKey);
  if (owner !== null && owner !== String(personId)) dropAllDrafts();
  try {
    sessionStorage.setItem(ownerKey, String(personId));
  } catch {
    // Storage is full: whose drafts they are stays unknown, and everything else works.
  }
}
