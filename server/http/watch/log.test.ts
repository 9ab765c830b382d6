import { expect, it } from 'vitest';
import { describeError } from './log.ts';

it('a failed query is logged with its statement and without its values', () => {
  const error = new Error('Failed query: select * from people where email = $1\nparams: ana@company.com', {
    cause: new Error('relation "people" does not exist'),
  });
  const logged = JSON.stringify(describeError(error));
  expect(logged).toContain('select * from people');
  expect(logged).toContain('does not exist');
  expect(logged).not.toContain('ana@company.com');
});
