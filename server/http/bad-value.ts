import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const nouns: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const forms: Record<string, string> = {
  datetime: 'must be a time such as 2026-11-21T08:00:00.000Z',
  date: 'must be a day such as 2026-11-21',
  uuid: 'must be a UUID',
  email: 'must be an e-mail address such as name@company.com',
  url: 'must be an address such as https://company.com',
};

/**
 * What to do about a value that a field does not take, where the field's own schema does not say it. Starts small: the
 * name of the field comes before it.
 */
export function sayWhatToDo(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const noun = nouns[issue.expected] ?? issue.expected;
      return issue.input === undefined ? `is missing, give ${noun}` : `must be ${noun}`;
    }
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'invalid_format':
      return forms[issue.format] ?? 'is not written in the form that is needed';
    case 'too_big':
      return limit(issue.origin, issue.inclusive === false ? 'below' : 'at most', issue.maximum);
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'is empty, fill it in';
      return limit(issue.origin, issue.inclusive === false ? 'above' : 'at least', issue.minimum);
    case 'invalid_union':
      return oneOf(issue.errors);
    default:
      return 'is not a value that this call takes';
  }
}

/** Of a field that takes several kinds of values, e.g. text or a switch: the kinds, where nothing else is wrong. */
function oneOf(errors: readonly z.core.$ZodIssue[][]): string {
  const kinds = errors.map(([first]) =>
    first?.code === 'invalid_type' ? (nouns[first.expected] ?? first.expected) : '',
  );
  return kinds.length < 2 || kinds.includes('')
    ? 'is not a value that this call takes'
    : `must be ${kinds.join(', or ')}`;
}

/**
 * What is wrong, field by field. Of a call that takes one of several objects it is told of the one whose fields were sent, or of the
 * first where none were: that the whole fits none of them helps nobody.
 */
export function issuesOf({ issues }: z.ZodError): z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.path.length > 0) return [issue];
    const [closest] = issue.errors.toSorted((a, b) => unknownIn(a) - unknownIn(b));
    return closest ?? [issue];
  });
}

const unknownIn = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.filter(({ code }) => code === 'unrecognized_keys').length;

function limit(origin: string, words: string, bound: unknown): string {
  const isOne = Number(bound) === 1;
  if (origin === 'string') return `must have ${words} ${bound} ${isOne ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'set') return `must have ${words} ${bound} ${isOne ? 'entry' : 'entries'}`;
  return `must be ${words} ${bound}`;
}
