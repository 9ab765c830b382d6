// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { throughOf } from '../../map/use-directions.ts';
import { keepAnswer } from '../../offline/kept/answers-kept.ts';
import type { Offline } from '../../offline/offline.ts';
import { pruneAnswered } from '../../offline/outbox/outbox.ts';
import { bootPhone } from '../../offline/testing/booted-phone.ts';
import { buildRoute, buildStop } from '../testing/schedule-phone.tsx';
import { keepWays, keptWay, pointsOf } from './kept-ways.ts';

const route = buildRoute({ stops: [buildStop(1), buildStop(2, { longitude: '-73.90000000' })] });
const way = { source: 'valhalla', warnings: [], legs: [{ seconds: 60, metres: 900, geometry: [[-74, 40.7]] }] };
const always = () => true;
const kept = (offline: Offline, one: ScheduledRoute) => keptWay(offline, one.id, throughOf(pointsOf(one)) ?? '');

let asked: string[];
let source: string;
let answered: string;

beforeEach(() => {
  asked = [];
  source = 'valhalla';
  answered = 'valhalla';
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.startsWith('/api/map')) return Response.json({ tiles: null, bounds: null, source });
    asked.push(decodeURIComponent(url));
    return Response.json({ ...way, source: answered });
  });
});
afterEach(() => vi.unstubAllGlobals());

function phone(): Offline {
  return bootPhone(() => ({ outcome: 'unreachable' })).offline;
}

test('a way is asked for once, and anew when the stops of its route are others', async () => {
  const offline = phone();
  await keepWays(offline, [route], always);
  await keepWays(offline, [route], always);
  expect(asked).toEqual(['/api/directions?points=40.7,-74;40.7,-73.9']);
  expect(await kept(offline, route)).toEqual(way);
  const changed = { ...route, stops: route.stops.toReversed() };
  expect(await kept(offline, changed)).toBeNull();
  await keepWays(offline, [changed], always);
  expect(asked).toHaveLength(2);
  expect(await kept(offline, changed)).toEqual(way);
});

test('a way is asked for anew when incidents on it come and go, and is there until then', async () => {
  const offline = phone();
  await keepWays(offline, [route], always);
  const [first = buildStop(1), ...rest] = route.stops;
  const closed = { ...route, stops: [{ ...first, incidents: [7] }, ...rest] };
  expect(await kept(offline, closed)).toEqual(way);
  await keepWays(offline, [closed], always);
  await keepWays(offline, [closed], always);
  expect(asked).toHaveLength(2);
  await keepWays(offline, [route], always);
  expect(asked).toHaveLength(3);
});

test('without a road engine, with a single place or when nobody wants it any more nothing is asked for', async () => {
  const offline = phone();
  await keepWays(offline, [route], () => false);
  await keepWays(offline, [{ ...route, stops: [buildStop(1)] }], always);
  source = 'estimate';
  await keepWays(offline, [route], always);
  expect(asked).toEqual([]);
});

test('straight lines that an engine did not answer are not kept in place of the way', async () => {
  const offline = phone();
  answered = 'estimate';
  await keepWays(offline, [route], always);
  expect(await kept(offline, route)).toBeNull();
  answered = 'valhalla';
  await keepWays(offline, [route], always);
  expect(await kept(offline, route)).toEqual(way);
});

test('what is kept and no way counts as none; two weeks later all of it is gone', async () => {
  const offline = phone();
  await keepAnswer(offline, 'way:1', { points: '40.7,-74;40.7,-73.9', directions: {} });
  expect(await kept(offline, route)).toBeNull();
  await keepWays(offline, [route], always);
  await pruneAnswered(offline.store, offline.environment.now() + 15 * 86_400_000);
  expect(await kept(offline, route)).toBeNull();
});
