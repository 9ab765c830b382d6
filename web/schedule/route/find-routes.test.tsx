// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { buildRoute, startPhone, stopPhones } from '../testing/schedule-phone.tsx';
import { findRoutes } from './find-routes.ts';

afterEach(stopPhones);

const many = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    buildRoute({
      id: at + 1,
      name: `Tour ${at + 1}`,
      status: at === count - 1 ? 'in_progress' : 'planned',
      driverName: at === 40 ? 'Zoë Muñoz' : 'Sam Number 1',
      stops: [],
    }),
  );

test('of many routes those under way come first, and a word is looked for in names and drivers without accents', () => {
  const routes = many(100);
  expect(findRoutes(routes, '')[0]?.name).toBe('Tour 100');
  expect(findRoutes(routes, 'zoe munoz').map(({ name }) => name)).toEqual(['Tour 41']);
  expect(findRoutes(routes, 'sam 99').map(({ name }) => name)).toEqual(['Tour 99']);
});

test('few routes stay in their order', () => {
  const routes = many(20);
  expect(findRoutes(routes, '')).toBe(routes);
});

test('a day of a hundred routes shows sixty, then the rest, and finds one by its driver', async () => {
  await startPhone(many(100));
  await screen.findByText('Tour 100');
  const box = screen.getByRole('searchbox', { name: 'Find a route' });
  expect(screen.queryByText('Tour 70')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show 40 more' }));
  expect(screen.getByText('Tour 70')).toBeDefined();
  fireEvent.change(box, { target: { value: 'zoe' } });
  expect(screen.getByText('Tour 41')).toBeDefined();
  expect(screen.queryByText('Tour 70')).toBeNull();
  fireEvent.change(box, { target: { value: 'nobody at all' } });
  expect(screen.getByText('No route found')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(screen.getByText('Tour 41')).toBeDefined();
});

test('what was looked for on a day is not looked for on another one', async () => {
  const phone = await startPhone(many(100));
  await screen.findByText('Tour 100');
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find a route' }), { target: { value: 'zoe' } });
  expect(screen.queryByText('Tour 100')).toBeNull();
  phone.routes = [];
  fireEvent.click(screen.getByRole('button', { name: 'Next day' }));
  expect(await screen.findByText(/^No routes scheduled for/)).toBeDefined();
  expect(screen.queryByText('No route found')).toBeNull();
});
