import { expect, it } from 'vitest';
import type { Endpoint } from '../../contract/endpoint.ts';
import { may, type Permission, permissions, type Role, roleLabel } from '../../domain/permissions.ts';
import { role } from '../../domain/role-schemas.ts';
import { handledEndpoints } from '../app.ts';
import type { Deps } from '../deps.ts';
import { parseEnv } from '../env.ts';
import { serialiserOf } from './handle.ts';

/** Endpoints are only described here, never called: of the dependencies they need none. */
const deps = { env: parseEnv({}) } as unknown as Deps;

const isPermission = (needs: Endpoint['needs']): needs is Permission =>
  permissions.some((permission) => permission === needs);

function allowed(who: Role, { needs }: Endpoint): string {
  return !isPermission(needs) || may(who, needs) ? 'yes' : '-';
}

function table(endpoints: readonly Endpoint[]): string {
  const lines = endpoints
    .toSorted((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path.localeCompare(b.path)))
    .map((one) => [`${one.method} ${one.path}`, one.needs, ...role.options.map((who) => allowed(who, one))]);
  const head = ['Call', 'Needs', ...role.options.map((who) => roleLabel[who])];
  return [
    '# Who may call what',
    '',
    'Written by `server/http/access-table.test.ts`; after a change look at the difference, then run it with `-u`. That the server',
    'does refuse what is not allowed here is proven call by call in `server/http/access.test.ts`. What a Field Operator may call',
    'answers for the places of the own route, and for every stop of routes assigned to them from yesterday to tomorrow, only. Calls',
    "that carry bytes, streams or a partner's own format are not in this table, but in `server/http/access-raw.test.ts`.",
    '',
    ...[head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');
}

it('who may call what is as it was last agreed', async () => {
  const endpoints = handledEndpoints(deps).map(({ endpoint }) => endpoint);
  expect(endpoints.length).toBeGreaterThan(100);
  await expect(table(endpoints)).toMatchFileSnapshot('../../docs/access.md');
});

it('every call has a writer for its reply', () => {
  for (const { endpoint } of handledEndpoints(deps)) expect(serialiserOf(endpoint.reply)).toBeTypeOf('function');
});
