import { expect, test } from 'vitest';
import type { PickedStop } from '../../../contract/need.ts';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import type { StockEvent } from '../../../domain/inventory.ts';
import type { DayMovement } from '../../offline/day/driver-day.ts';
import { expectedReturns, summaryOf, withTyped } from './summary.ts';

const pick = (productName: string, fill: number): PickedStop => ({
  stopId: fill,
  why: [],
  units: fill,
  lastNote: null,
  items: [{ itemType: 'machine_slot', id: fill, productName, slotNumber: null, fill }],
});

function moved(productName: string, event: Pick<StockEvent, 'kind' | 'quantity' | 'reason'> & { shown?: number }) {
  return { productName, itemKey: productName, visitId: 'v', shown: 4, ...event } as DayMovement;
}

test('what was loaded and not put in comes back, beside what was taken out by why', () => {
  const stock = [
    moved('Cola', { kind: 'restock', quantity: 7, reason: 'fill' }),
    moved('Crisps', { kind: 'spoilage', quantity: -2, reason: 'expired' }),
    moved('Crisps', { kind: 'removal', quantity: -3, reason: 'other' }),
  ];
  expect(expectedReturns([pick('Cola', 6), pick('Cola', 4), pick('Water', 5)], stock)).toEqual([
    { productName: 'Cola', reason: 'unused', units: 3 },
    { productName: 'Crisps', reason: 'expired', units: 2 },
    { productName: 'Crisps', reason: 'removed', units: 3 },
    { productName: 'Water', reason: 'unused', units: 5 },
  ]);
});

test('more put in than was loaded brings nothing back', () => {
  const stock = [moved('Cola', { kind: 'restock', quantity: 9, reason: 'fill' })];
  expect(expectedReturns([pick('Cola', 6)], stock)).toEqual([]);
});

test('what came with a planned product was put in, and what it took the place of comes back', () => {
  const slot = { itemKey: 'machine_slot:1' };
  const stock = [
    { ...moved('Crisps', { kind: 'removal', quantity: -3, reason: 'other' }), ...slot },
    { ...moved('Cola', { kind: 'restock', quantity: 6, reason: 'fill' }), ...slot },
  ];
  expect(expectedReturns([pick('Cola', 6)], stock)).toEqual([{ productName: 'Crisps', reason: 'removed', units: 3 }]);
});

test('what the driver counted stands in place of what was expected, and new lines are added', () => {
  const lines = withTyped(
    [{ productName: 'Cola', reason: 'unused', units: 3 }],
    [
      { productName: 'Cola', reason: 'unused', units: 0 },
      { productName: 'Tea', reason: 'damaged', units: 1 },
    ],
  );
  expect(lines).toEqual([
    { productName: 'Cola', reason: 'unused', units: 0 },
    { productName: 'Tea', reason: 'damaged', units: 1 },
  ]);
});

test('the day counts stops, minutes, units put in and each bag once', () => {
  const stop = (completed: boolean, skippedReason: string | null) => ({ completed, skippedReason });
  const route = {
    startedAt: '2026-03-02T08:00:00Z',
    completedAt: '2026-03-02T09:30:00Z',
    totalDistance: 12.5,
    stops: [stop(true, null), stop(true, null), stop(false, 'Closed'), stop(false, null)],
  } as unknown as ScheduledRoute;
  const work = {
    movements: [moved('Cola', { kind: 'count', quantity: 10, reason: 'manual_count', shown: 4 })],
    bags: [
      { visitId: 'a', bagNumber: 'B-7' },
      { visitId: 'b', bagNumber: null },
      { visitId: 'c', bagNumber: 'B-7' },
    ],
    photosUnsent: 0,
    photosRefused: 0,
  };
  expect(summaryOf([route], work, Date.parse('2026-03-02T12:00:00Z'))).toEqual({
    stops: 4,
    done: 2,
    skipped: 1,
    unitsFilled: 6,
    minutes: 90,
    miles: 12.5,
    bags: ['B-7'],
  });
});
