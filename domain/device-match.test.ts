import { expect, it } from 'vitest';
import { indexPlaces, matchDevice as matchIn, type OwnPlace, rankPlaces as rankIn, type Told } from './device-match.ts';

const place = (fields: Partial<OwnPlace> = {}): OwnPlace => ({
  type: 'vending_machine',
  id: 1,
  integrationId: null,
  machineNumber: 'VM-1',
  serialNumber: 'SN-1',
  name: 'Town Hall',
  city: 'Trenton',
  latitude: '40.00000000',
  longitude: '-74.00000000',
  isTaken: false,
  ...fields,
});
const told = (fields: Partial<Told> = {}): Told => ({
  locationType: 'vending_machine',
  integrationId: 'nayax:9',
  machineNumber: null,
  serialNumber: null,
  name: 'Somewhere else',
  city: null,
  latitude: '41.5',
  longitude: '-74.5',
  ...fields,
});

const matchDevice = (device: Told, places: readonly OwnPlace[]) => matchIn(device, indexPlaces(places));
const rankPlaces = (device: Told, places: readonly OwnPlace[]) => rankIn(device, indexPlaces(places));

it('integration id comes before machine number, and machine number before serial number', () => {
  const places = [
    place(),
    place({ id: 2, machineNumber: 'VM-2', serialNumber: 'SN-2' }),
    place({ id: 3, integrationId: 'nayax:9', machineNumber: 'VM-3', serialNumber: null }),
  ];
  const all = told({ machineNumber: 'vm-1 ', serialNumber: 'SN-2' });
  expect(matchDevice(all, places)).toMatchObject({ kind: 'linked', place: { id: 3 } });
  expect(matchDevice({ ...all, integrationId: 'nayax:10' }, places)).toMatchObject({
    kind: 'linked',
    place: { id: 1 },
  });
  expect(matchDevice(told({ serialNumber: 'SN-2' }), places.slice(0, 2))).toMatchObject({
    kind: 'linked',
    place: { id: 2 },
  });
});

it('a name or a position alike is a suggestion, never a link', () => {
  expect(matchDevice(told({ name: 'TOWN hall' }), [place()])).toMatchObject({
    kind: 'unsure',
    reason: 'Same name as Town Hall',
  });
  const near = told({ latitude: '40.0005', longitude: '-74.0' });
  expect(matchDevice(near, [place()])).toMatchObject({ kind: 'unsure', reason: 'At the same address as Town Hall' });
});

it('a name is alike whoever typed its accents', () => {
  const match = matchDevice(told({ name: 'Senor Pena, Main St.' }), [place({ name: 'Señor Peña – Main St' })]);
  expect(match).toMatchObject({ kind: 'unsure', reason: 'Same name as Señor Peña – Main St' });
});

it('a place that another device of the system stands for is not taken away from it', () => {
  const match = matchDevice(told({ machineNumber: 'VM-1' }), [place({ isTaken: true })]);
  expect(match).toMatchObject({ kind: 'unsure', reason: 'Same machine number as a place that is linked' });
});

it('what is like nothing of ours is new where it says where it is; nobody makes up a position', () => {
  expect(matchDevice(told(), [place()])).toEqual({ kind: 'new' });
  for (const nowhere of [
    { latitude: null, longitude: null },
    { latitude: '0', longitude: '0.000' },
  ]) {
    expect(matchDevice(told(nowhere), [place()])).toMatchObject({ kind: 'unsure', candidates: [] });
  }
});

it('a market is never a machine', () => {
  expect(matchDevice(told({ locationType: 'market', integrationId: 'x' }), [place({ integrationId: 'x' })])).toEqual({
    kind: 'new',
  });
});

it('suggestions begin with what has most in common', () => {
  const places = [
    place({ id: 1, name: 'Town Library' }),
    place({ id: 2 }),
    place({ id: 3, name: 'Airport', latitude: '50' }),
  ];
  expect(rankPlaces(told({ name: 'Town Hall', latitude: '40', longitude: '-74' }), places).map(({ id }) => id)).toEqual(
    [2, 1],
  );
});

it('the devices of a large operator are matched in time', () => {
  const at = (n: number) => ({
    latitude: String(40 + (n % 100) * 0.01),
    longitude: String(-74 + Math.floor(n / 100) * 0.01),
  });
  const names = { machineNumber: null, serialNumber: null };
  const places = Array.from({ length: 6000 }, (_, n) =>
    place({ ...names, id: n, name: `Lobby ${n}, Tower Street`, ...at(n) }),
  );
  const index = indexPlaces(places);
  const started = performance.now();
  for (let n = 0; n < 2000; n += 1) {
    expect(matchIn(told({ name: `Nothing like ${n}` }), index).kind).toBe('new');
    expect(matchIn(told({ name: `lobby ${n} tower street` }), index)).toMatchObject({ candidates: [{ id: n }] });
  }
  expect(performance.now() - started).toBeLessThan(10_000);
});
