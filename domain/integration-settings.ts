import type { FieldErrors } from './errors.ts';
import type { Settings, SettingsField } from './integration.ts';
import { tooLong } from './plain-text.ts';
import { isTimeZone } from './time.ts';

const usualMaxLength = 500;
/** Of what a configuration is called. */
const longestName = 255;

/** What is wrong with the name that a person gives a configuration. */
export function configNameProblem(name: string): string | null {
  if (name.trim() === '') return 'Name is required';
  return name.trim().length > longestName ? tooLong('Name', longestName) : null;
}

export type CheckedSettings = {
  /** Values by field name, tidied; only those that were given. */
  values: Record<string, string | boolean | null>;
  /** A sentence for each field that is wrong. */
  errors: FieldErrors;
};

type Wish = {
  fields: readonly SettingsField[];
  given: Readonly<Record<string, unknown>>;
  /** Values there already: a field not given keeps its value, so it is not missing. */
  before: Settings;
  /** Origin of the sandbox, which may be plain http. */
  sandboxUrl: string | null;
};

/**
 * Checks what a person entered for a system's settings against its fields. An empty secret means 'leave it as it is'
 * where one is set; null empties any field.
 */
export function checkSettings({ fields, given, before, sandboxUrl }: Wish): CheckedSettings {
  const values: CheckedSettings['values'] = {};
  const errors: FieldErrors = {};
  for (const name of Object.keys(given)) {
    if (!fields.some((field) => field.name === name)) errors[name] = 'There is no such setting';
  }
  for (const field of fields) {
    const told = given[field.name];
    const known = before[field.name] ?? null;
    if (told === undefined || (field.kind === 'secret' && told === '' && known)) {
      const start = known ?? field.initial ?? null;
      if (known === null && start !== null) values[field.name] = start;
      if (field.required && isEmpty(start)) errors[field.name] = field.required;
      continue;
    }
    const checked = checkField(field, told, sandboxUrl);
    if ('error' in checked) errors[field.name] = checked.error;
    else values[field.name] = checked.value;
  }
  return { values, errors };
}

const isEmpty = (value: string | boolean | null): boolean => value === null || value === '';

type Checked = { value: string | boolean | null } | { error: string };

function checkField(field: SettingsField, told: unknown, sandboxUrl: string | null): Checked {
  if (field.kind === 'switch') {
    return typeof told === 'boolean' ? { value: told } : { error: `${field.label} is either on or off` };
  }
  if (told !== null && typeof told !== 'string') return { error: `${field.label} is written as text` };
  const text = (told ?? '').trim();
  if (text === '') return field.required ? { error: field.required } : { value: null };
  const most = field.maxLength ?? usualMaxLength;
  if (text.length > most) return { error: tooLong(nameOf(field), most) };
  if (field.kind === 'choice' && !field.options?.some((option) => option.value === text)) {
    return { error: `${field.label} must be ${listed(field.options?.map((option) => option.value) ?? [])}` };
  }
  const problem = problemOf(field, text, sandboxUrl);
  return problem ? { error: problem } : { value: text };
}

/** The label without what it explains in brackets. */
const nameOf = ({ label }: SettingsField): string => label.replace(/ \(.*\)$/, '');

function problemOf({ kind }: SettingsField, text: string, sandboxUrl: string | null): string | null {
  if (kind === 'url') return addressProblem(text, sandboxUrl);
  return kind === 'zone' && !isTimeZone(text) ? 'Enter a time zone as America/Chicago' : null;
}

const listed = (words: readonly string[]): string => words.join(' or ');

/** What is wrong with how an address is written. */
export const addressProblem = (text: string, sandboxUrl: string | null): string | null =>
  isAddress(text, sandboxUrl) ? null : 'Enter an address that starts with https://';

/** An address that may be called: https, without a name and password in it, or one of the sandbox. */
function isAddress(text: string, sandboxUrl: string | null): boolean {
  if (sandboxUrl && (text === sandboxUrl || text.startsWith(`${sandboxUrl.replace(/\/+$/, '')}/`))) return true;
  return /^https:\/\/(?:\[[\da-f:.]+\]|[\p{L}\p{N}._-]+)(?::\d{1,5})?(?:[/?#][^\s\\]*)?$/iu.test(text);
}

/** The last two characters of a secret that is long enough for them to tell nothing. */
export function secretEnding(secret: string): string {
  return secret.length >= 12 ? secret.slice(-2) : '';
}
