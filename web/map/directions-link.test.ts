import { expect, it } from 'vitest';
import { directionsLink } from './directions-link.ts';

it('a directions link carries start, end and the stops between in their order', () => {
  const link = new URL(
    directionsLink({
      origin: { lat: 1.5, lng: 2.5 },
      destination: { lat: 40.1, lng: -74.2 },
      waypoints: [
        { lat: 40.2, lng: -74.3 },
        { lat: 40.3, lng: -74.4 },
      ],
    }),
  );
  expect(Object.fromEntries(link.searchParams)).toEqual({
    api: '1',
    origin: '1.5,2.5',
    destination: '40.1,-74.2',
    waypoints: '40.2,-74.3|40.3,-74.4',
    travelmode: 'driving',
  });
});
