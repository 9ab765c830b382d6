import { describe, expect, it } from 'vitest';
import {
  type AccessRecord,
  accessTo,
  applicationsOfCall,
  closedScreens,
  closedTo,
  nextExpiry,
  powerOfCall,
  rolePowers,
} from './application.ts';

const at = new Date('2026-03-12T15:00:00Z');
const manager = { role: 'route_manager', routeDesignation: null } as const;
const driver = { role: 'field_worker', routeDesignation: '101' } as const;
const given = (fields: Partial<AccessRecord> = {}): AccessRecord => ({
  applicationName: 'reports',
  routeDesignation: null,
  permissions: ['read', 'write'],
  isActive: true,
  expiresAt: null,
  ...fields,
});

describe('access to an application', () => {
  it('follows the role where nothing was recorded', () => {
    expect(accessTo('reports', manager, { records: [], at })).toEqual(['read', 'write', 'delete']);
    expect(accessTo('reports', driver, { records: [], at })).toEqual([]);
  });

  it.each([
    ['mobile_inventory', 'field_worker', ['read', 'write']],
    ['route_planning', 'field_worker', ['read']],
    ['route_planning', 'route_manager', ['read', 'write', 'delete']],
    ['nayax', 'route_manager', ['read', 'write']],
    ['nayax', 'admin', ['read', 'write', 'delete']],
    ['nayax', 'field_worker', []],
  ] as const)('of %s a %s has by role %j', (name, who, expected) => {
    expect(rolePowers(name, who)).toEqual(expected);
  });

  it('never adds to what the role allows', () => {
    expect(accessTo('reports', driver, { records: [given()], at })).toEqual([]);
  });

  it.each([
    ['is switched off', { isActive: false }],
    ['has expired', { expiresAt: at }],
    ['is for another route', { routeDesignation: '202' }],
  ])('is closed when all that was recorded %s', (_, fields) => {
    const records = [given(fields)];
    expect(accessTo('reports', manager, { records, at })).toEqual([]);
    expect(closedTo(manager, { records, at })).toEqual(['reports']);
    expect(accessTo('cantaloupe', manager, { records, at })).toHaveLength(3);
  });

  it('is what the records that count allow together', () => {
    const records = [
      given({ permissions: ['read'] }),
      given({ permissions: ['delete'], expiresAt: new Date(at.getTime() + 1) }),
      given({ permissions: ['write'], isActive: false }),
    ];
    expect(accessTo('reports', manager, { records, at })).toEqual(['read', 'delete']);
  });

  it('ends next at the nearest expiry that still counts', () => {
    const end = (seconds: number, more = {}) => given({ expiresAt: new Date(at.getTime() + seconds * 1000), ...more });
    expect(nextExpiry({ records: [end(-1), end(90), end(60), end(5, { isActive: false })], at })).toEqual(
      new Date(at.getTime() + 60_000),
    );
  });
});

it('a screen of two applications is closed with the second of them', () => {
  expect(closedScreens(['nayax'])).toEqual([]);
  expect(closedScreens(['nayax', 'moma', 'reports'])).toEqual(['/reports', '/nayax-moma']);
});

it.each([
  ['GET', '/api/sync/changes', driver.role, ['mobile_inventory']],
  ['POST', '/api/sync/events', driver.role, []],
  ['PUT', '/api/inventory/:id', driver.role, ['mobile_inventory']],
  ['PUT', '/api/inventory/:id', manager.role, []],
  ['POST', '/api/nayax-moma/sync-all', manager.role, ['nayax', 'moma']],
  ['GET', '/api/nayax/configs', manager.role, ['nayax']],
  ['GET', '/api/routes', driver.role, []],
  ['POST', '/api/routes/optimize', manager.role, ['route_planning']],
] as const)('%s %s of a %s belongs to %j', (method, path, who, expected) => {
  expect(applicationsOfCall(method, path, who)).toEqual(expected);
});

it.each([
  ['GET', 'read'],
  ['POST', 'write'],
  ['DELETE', 'delete'],
])('%s needs the power to %s', (method, needed) => {
  expect(powerOfCall(method)).toBe(needed);
});
