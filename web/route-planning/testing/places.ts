import type { ListedPlace } from '../../../contract/locations.ts';

const at = { latitude: '40.73000000', longitude: '-74.05000000' };
export const market = (id: number, name: string, routeDesignation: string | null): ListedPlace => ({
  ...at,
  type: 'market',
  id,
  name,
  place: `${id} Street`,
  address: `${id} Street`,
  status: 'active',
  routeDesignation,
  lowCount: 0,
  accessHours: null,
  missingUnits: 0,
});
export const machine = (id: number, name: string): ListedPlace => ({
  ...at,
  type: 'vending_machine',
  id,
  name,
  place: 'Lobby',
  address: 'Street',
  status: 'inactive',
  routeDesignation: '202',
  lowCount: 2,
  accessHours: null,
  missingUnits: 0,
});

/** What the server makes of two places: one in the order, one left out. */
export const plan = {
  optimizedOrder: [
    {
      type: 'market',
      id: 1200,
      name: 'Far market',
      address: '',
      latitude: '40.73',
      longitude: '-74.05',
      stopOrder: 1,
      arrivalAt: '2026-11-22T08:30:00Z',
      serviceMin: 20,
      legDistanceKm: 5,
      legDurationMin: 9,
      completed: false,
    },
  ],
  unassigned: [{ type: 'vending_machine', id: 7, name: 'Snack 7', reason: 'Would end after the shift' }],
  totalDistance: 12.34,
  estimatedTime: 95,
  drivingMin: 30,
  serviceMin: 65,
  givenDistance: 20,
  givenTime: 120,
  distanceSource: 'estimate',
  warnings: [],
  start: { name: 'Depot', lat: 40.7, lng: -74 },
  routeIds: [],
};
