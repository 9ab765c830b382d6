import { expect, it } from 'vitest';
import type { z } from 'zod';
import { depotInput } from './fleet.ts';
import { incidentInput, incidentUpdate } from './incident.ts';
import { machineInput, machineUpdate } from './machine.ts';
import { marketInput, marketUpdate } from './market.ts';
import { startLocation } from './route.ts';

const place = { name: 'Kisumu Depot', address: '1 Oginga Odinga Street' };
const forms: [string, z.ZodType, object][] = [
  ['a market', marketInput, { ...place, status: 'active' }],
  ['an edit of a market', marketUpdate, {}],
  ['a machine', machineInput, { ...place, machineId: 'VM-1', location: 'Lobby' }],
  ['an edit of a machine', machineUpdate, {}],
  ['a depot', depotInput, place],
  ['an incident', incidentInput, { title: 'Works', severity: 'low', type: 'construction' }],
  ['an edit of an incident', incidentUpdate, {}],
];

it.each(forms)('%s is not at 0, 0, which stands for no position, but may lie on the equator', (_, schema, rest) => {
  const told = (latitude: string, longitude: string) =>
    schema.safeParse({ ...rest, latitude, longitude }).error?.issues.map(({ path, message }) => [path, message]);
  const sentence = '0, 0 stands for an unknown position: enter where it is';
  expect(told('0', '-0.000')).toEqual([[['latitude'], sentence]]);
  expect([told('0', '34.75'), told('51.48', '0')]).toEqual([undefined, undefined]);
});

it('a route does not begin at 0, 0', () => {
  const told = startLocation.safeParse({ lat: 0, lng: 0 }).error?.issues.map(({ path, message }) => [path, message]);
  expect(told).toEqual([[['lat'], '0, 0 stands for an unknown position: enter where it is']]);
  expect(startLocation.safeParse({ lat: 0, lng: 34.75 }).success).toBe(true);
});

it('an edit may name one coordinate alone', () => {
  expect([marketUpdate, machineUpdate].map((schema) => schema.safeParse({ latitude: '0' }).success)).toEqual([
    true,
    true,
  ]);
});
