import { type FormEvent, useEffect, useState } from 'react';
import type { z } from 'zod';
import { ApiError, sentenceOf } from '../http/client.ts';

type Values = Record<string, unknown>;

/** Fields that hold text. */
type TextField<V extends Values> = {
  [K in keyof V & string]: string extends V[K] ? K : V[K] extends string ? K : never;
}[keyof V & string];

type Options<V extends Values, S extends z.ZodType> = {
  schema: S;
  initial: V;
  /** Sends the checked input; a refusal's fields appear at their fields. */
  onSubmit: (input: z.output<S>) => Promise<unknown>;
  /** What was typed is kept under this name until it is saved, also across a reload. */
  draftKey?: string;
};

/**
 * A form over a schema: a field is checked as one types once it was left, and everything once more on submit. The
 * server's refusal of a field is shown at it; what was typed always stays.
 */
export function useForm<V extends Values, S extends z.ZodType>({ schema, initial, onSubmit, draftKey }: Options<V, S>) {
  const [values, setValues] = useState<V>(() => ({ ...initial, ...readDraft(draftKey) }));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, setPending] = useState(false);

  useEffect(() => writeDraft(draftKey, values), [draftKey, values]);

  const problems = problemsOf(schema, values);
  const errorOf = (name: keyof V & string): string | undefined =>
    refused[name] ?? (touched.has(name) ? problems[name] : undefined);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTouched(new Set([...Object.keys(values), ...Object.keys(problems)]));
    const parsed = schema.safeParse(values);
    // What is wrong with no field on the screen is said under the form.
    setFailure(Object.entries(problems).find(([name]) => !(name in values))?.[1] ?? null);
    if (!parsed.success || pending) return;
    setPending(true);
    setFailure(null);
    try {
      await onSubmit(parsed.data);
      dropDraft(draftKey);
    } catch (error) {
      setRefused(error instanceof ApiError ? error.fields : {});
      setFailure(sentenceOf(error));
    } finally {
      setPending(false);
    }
  };

  const set = <K extends keyof V & string>(name: K, value: V[K]): void => {
    setValues((before) => ({ ...before, [name]: value }));
    setRefused(({ [name]: _, ...rest }) => rest);
  };

  return {
    values,
    failure,
    pending,
    submit,
    errorOf,
    set,
    /** What a text control of this field is given. */
    field: <K extends TextField<V>>(name: K) => ({
      value: values[name],
      error: errorOf(name),
      onChange: (text: string): void => set(name, text as V[K]),
      onBlur: (): void => setTouched((before) => new Set([...before, name])),
    }),
  };
}

function problemsOf(schema: z.ZodType, values: Values): Record<string, string> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return {};
  const problems: Record<string, string> = {};
  for (const issue of parsed.error.issues) problems[issue.path.join('.')] ??= issue.message;
  return problems;
}

const prefix = 'milkrun-draft-';

function readDraft(key: string | undefined): Values {
  if (!key) return {};
  try {
    const parsed: unknown = JSON.parse(sessionStorage.getItem(prefix + key) ?? '{}');
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    // A draft that cannot be read is no draft.
    return {};
  }
}

function writeDraft(key: string | undefined, values: Values): void {
  if (!key) return;
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(values));
  } catch {
    // Storage is closed or full: the form works, only its draft would not survive a reload.
  }
}

function dropDraft(key: string | undefined): void {
  if (key) sessionStorage.removeItem(prefix + key);
}
