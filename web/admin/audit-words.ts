import { formatDateTime, formatDay } from '../http/format.ts';

/** Words of the log's actions; a new action is readable without a line here. */
const nouns: Record<string, string> = {
  auth: 'Sign-in',
  access: 'Access',
  device: 'Device',
  person: 'Person',
  export: 'Export',
  audit: 'Audit log',
};

/** An action such as person.update as words: Person: update. */
export function actionInWords(action: string): string {
  const [noun = '', ...verb] = action.split('.');
  const name = nouns[noun] ?? spaced(noun);
  return verb.length === 0 ? capital(name) : `${capital(name)}: ${spaced(verb.join(' '))}`;
}

/** A kind of object such as vending_machine as words. */
export function objectInWords(type: string): string {
  return capital(spaced(type));
}

const spaced = (text: string): string => text.replace(/[-_]/g, ' ');
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export type Change = { name: string; before: string | null; after: string };

/** The detail of a line: fields with before and after, and facts that have only one value. */
export function changesOf(detail: string | null): Change[] {
  if (detail === null) return [];
  const parsed: unknown = JSON.parse(detail);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return [{ name: 'Detail', before: null, after: textOf(parsed) }];
  }
  return Object.entries(parsed).map(([name, value]) => {
    const label = capital(
      spaced(name.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)),
    );
    if (Array.isArray(value) && value.length === 2) {
      return { name: label, before: textOf(value[0]), after: textOf(value[1]) };
    }
    return { name: label, before: null, after: textOf(value) };
  });
}

function textOf(value: unknown): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDay(text);
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? formatDateTime(text) : text;
}
