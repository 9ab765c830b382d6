import { expect, it } from 'vitest';
import { may, permissions, powersOf } from './permissions.ts';
import { role } from './role-schemas.ts';

it('the powers of a role are 4, 2 and 1', () => {
  expect(powersOf('admin')).toEqual(['read', 'write', 'delete', 'admin']);
  expect(powersOf('route_manager')).toEqual(['read', 'write']);
  expect(powersOf('field_worker')).toEqual(['read']);
});

it('a role holds everything that the roles below it hold', () => {
  for (const permission of permissions) {
    const holders = role.options.map((who) => may(who, permission));
    expect([permission, holders]).toEqual([permission, holders.toSorted((a, b) => Number(a) - Number(b))]);
  }
});
