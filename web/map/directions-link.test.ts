import { expect, it } from 'vitest';
import { directionsLink, navigateLink } from './directions-link.ts';

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

it('the way to a stop opens the maps app of each kind of phone, and a page elsewhere', () => {
  const hall = { lat: 40.7, lng: -74 };
  const link = (userAgent: string, maxTouchPoints = 5): string =>
    navigateLink(hall, 'North Hall (2)', { userAgent, maxTouchPoints });
  expect(link('Mozilla/5.0 (Linux; Android 14)')).toBe('geo:40.7,-74?q=40.7,-74(North%20Hall%20(2))');
  expect(link('Mozilla/5.0 (iPhone; CPU iPhone OS 17_0)')).toBe('https://maps.apple.com/?daddr=40.7,-74&dirflg=d');
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
  expect(link(mac)).toBe('https://maps.apple.com/?daddr=40.7,-74&dirflg=d');
  expect(link(mac, 0)).toContain('google.com/maps/dir/');
  expect(link('Mozilla/5.0 (X11; Linux x86_64)')).toContain('google.com/maps/dir/?api=1&destination=40.7%2C-74');
});
