import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError, isSignedOut, sentenceOf } from '../../http/client.ts';
import { useAfterPress } from './after-press.ts';
import { changesOf, dropDraft, readDraft, type Values, writeDraft } from './draft.ts';

/** Fields that hold text. */
type TextField<V extends Values> = {
  [K in keyof V & string]: string extends V[K] ? K : V[K] extends string ? K : never;
}[keyof V & string];

type Options<V extends Values, S extends z.ZodType> = {
  schema: S;
  initial: V;
  /** Sends the checked input; a refusal's fields appear at their fields. */
  onSubmit: (input: z.output<S>) => Promise<unknown>;
  /** What was typed is kept under this name until it is saved or given up, also across a reload. */
  draftKey?: string;
  /** A form that stays on the screen: what changes elsewhere shows where nothing was typed. */
  isLive?: boolean;
};

/**
 * A form over a schema: a field is checked as one types once it was left, and everything once more on submit. The
 * server's refusal of a field is shown at it; what was typed always stays.
 */
export function useForm<V extends Values, S extends z.ZodType>({
  schema,
  initial,
  onSubmit,
  draftKey,
  isLive = false,
}: Options<V, S>) {
  const [start, setStart] = useState(initial);
  const [draft] = useState(() => readDraft(draftKey));
  const [values, setValues] = useState<V>({ ...start, ...draft });
  const [isKept, setIsKept] = useState(Object.keys(changesOf(start, values)).length > 0);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const { showIn, showFirstProblem } = useFirstProblem();
  const afterPress = useAfterPress();

  if (isLive && Object.keys(changesOf(start, initial)).length > 0) {
    setStart(initial);
    setValues({ ...initial, ...changesOf(start, values) });
  }

  useEffect(() => writeDraft(draftKey, changesOf(start, values)), [draftKey, start, values]);

  const problems = problemsOf(schema, values);
  const errorOf = (name: keyof V & string): string | undefined =>
    refused[name] ?? (touched.has(name) ? problems[name] : undefined);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTouched(new Set([...Object.keys(values), ...Object.keys(problems)]));
    const parsed = schema.safeParse(values);
    // What is wrong with no field on the screen is said under the form.
    setFailure(Object.entries(problems).find(([name]) => !(name in values))?.[1] ?? null);
    showIn(event.currentTarget);
    if (!parsed.success) showFirstProblem();
    if (!parsed.success || pending) return;
    setPending(true);
    setFailure(null);
    try {
      await onSubmit(parsed.data);
      dropDraft(draftKey);
    } catch (error) {
      const { fields, sentence } = refusalOf(error, values);
      setRefused(fields);
      setFailure(sentence);
      showFirstProblem();
    } finally {
      setPending(false);
    }
  };

  const set = <K extends keyof V & string>(name: K, value: V[K]): void => {
    setValues((before) => ({ ...before, [name]: value }));
    setRefused(({ [name]: _, ...rest }) => rest);
  };

  /** Gives up what was typed. */
  const discard = (): void => {
    setValues(start);
    setTouched(new Set());
    setRefused({});
    setFailure(null);
    setIsKept(false);
    dropDraft(draftKey);
  };

  return {
    values,
    failure,
    pending,
    submit,
    errorOf,
    set,
    /** The form opened with what was typed in it before. */
    isKept,
    discard,
    /** What a text control of this field is given. */
    field: <K extends TextField<V>>(name: K) => ({
      value: values[name],
      error: errorOf(name),
      onChange: (text: string): void => set(name, text as V[K]),
      onBlur: (): void => afterPress(() => setTouched((before) => new Set([...before, name]))),
    }),
  };
}

/** What is said at the fields and under the form after the server has refused it. */
function refusalOf(error: unknown, values: Values): { fields: Record<string, string>; sentence: string | null } {
  if (!(error instanceof ApiError)) return { fields: {}, sentence: sentenceOf(error) };
  const fields: Record<string, string> = {};
  for (const [path, text] of Object.entries(error.fields)) fields[fieldOf(path, values)] ??= text;
  // Once is enough: a sentence under its field is not said again below them.
  const isShown = Object.keys(fields).length > 0 && Object.keys(fields).every((name) => name in values);
  return { fields, sentence: isShown || isSignedOut(error) ? null : sentenceOf(error) };
}

/** A form is often longer than what is seen of it: where a submit ended is brought into sight, and typing goes on there. */
export function useFirstProblem() {
  const form = useRef<Element | null>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals === 0) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [refusals]);
  return {
    showIn: (shown: Element): void => {
      form.current = shown;
    },
    showFirstProblem: (): void => setRefusals((before) => before + 1),
  };
}

/** Where a problem is said: one of several values in a field (`barcodes.1`) at that field. */
function fieldOf(path: string, values: Values): string {
  const [first = path] = path.split('.');
  return !(path in values) && first in values ? first : path;
}

function problemsOf(schema: z.ZodType, values: Values): Record<string, string> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return {};
  const problems: Record<string, string> = {};
  for (const issue of parsed.error.issues) problems[fieldOf(issue.path.join('.'), values)] ??= issue.message;
  return problems;
}
