// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../http/query-client.ts';
import { LocationRow } from './location-row.tsx';
import type { Candidate } from './locations.ts';

afterEach(cleanup);

const place = { key: 'market:1', name: 'North Hall', where: '1 Main Street', lat: 40.7, lng: -74, lowCount: 0 };

test.each([
  ['active', 'Active', 'text-ok'],
  ['maintenance', 'Maintenance', 'text-warn'],
  ['inactive', 'Inactive', 'text-idle'],
  ['renovation', 'renovation', 'border'],
])('a place that is %s has the badge %s as everywhere', (status, word, look) => {
  const row = { ...place, status } as unknown as Candidate;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocationRow row={row} selected={false} onToggle={vi.fn()} />
    </QueryClientProvider>,
  );
  expect(screen.getByText(word).className).toContain(look);
});
