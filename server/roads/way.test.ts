import { expect, it } from 'vitest';
import type { Point } from '../../domain/location.ts';
import { defaultEstimate } from '../../domain/travel-estimate.ts';
import { breaker } from './engines/breaker.ts';
import { type Engine, EngineFailed } from './engines/provider.ts';
import { wayOf } from './way.ts';

const inTown: Point[] = [0, 1, 2].map((at) => ({ lat: 40 + at / 100, lng: -74 }));
const beyond: Point = { lat: 44, lng: -74 };

/** An engine whose map ends at 41 degrees north. */
function engineThat(way: Engine['way']): Engine {
  return {
    source: 'valhalla',
    avoids: true,
    tableLimit: () => 10,
    wayLimit: 20,
    version: async () => 'test',
    table: async () => ({ durations: [], distances: [] }),
    covers: ({ lat }) => lat < 41,
    way,
    close: async () => undefined,
  };
}

const legs: Engine['way'] = async (points) =>
  points.slice(1).map((point, at) => ({ seconds: 60, metres: 900, geometry: [points[at] ?? point, point] }));

const asked = (points: Point[], way: Engine['way']) =>
  wayOf({
    ready: { engine: engineThat(way), version: 'test', breaker: breaker({ now: () => new Date() }) },
    isSilent: false,
    estimate: defaultEstimate,
    points,
    wish: { profile: 'car', avoid: [] },
    failed: () => undefined,
  });

it('to a place outside the map is straight there, says why, and does not ask the engine about it', async () => {
  const seen: Point[] = [];
  const found = await asked([...inTown, beyond], (points, wish) => {
    seen.push(...points);
    return legs(points, wish);
  });
  expect(found.source).toBe('mixed');
  expect(found.warnings).toEqual([
    '1 of 3 legs are straight lines: this place is outside the map built here, distances are estimated.',
  ]);
  expect(found.legs.map(({ metres }) => metres === 900)).toEqual([true, true, false]);
  expect(seen).not.toContain(beyond);
});

it('wholly outside the map says so of all lines', async () => {
  const found = await asked([beyond, { ...beyond, lng: -74.1 }], legs);
  expect(found.warnings).toEqual([
    'Straight lines: this place is outside the map built here, distances are estimated.',
  ]);
});

it('tells an engine that did not answer from roads that do not exist', async () => {
  const refusing = (reason: 'down' | 'no-road') =>
    asked(inTown.slice(0, 2), async () => {
      throw new EngineFailed('no', { reason });
    });
  expect((await refusing('down')).warnings[0]).toMatch(/the road engine did not answer/);
  expect((await refusing('no-road')).warnings[0]).toMatch(/no road leads there/);
});
