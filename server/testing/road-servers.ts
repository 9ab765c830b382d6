import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { distanceKm, type Point } from '../../domain/location.ts';
import { encodePolyline } from '../roads/engines/polyline.ts';

type Reply = { status: number; body: unknown; headers?: Record<string, string> };

/** A road server in this process: what it was asked, and what it answers next instead of the truth. */
export type RoadServer = {
  url: string;
  asked: string[];
  /** What was sent along, in the same order. */
  bodies: string[];
  /** Sizes of the tables asked for, rows by columns. */
  tables: [rows: number, columns: number][];
  /** How many times as long ways around closed areas are. */
  detour: number;
  /** Whether they take longer for it; engines weigh more than time, so that a longer way may be as quick. */
  detourSlows: boolean;
  /** Whether they turn at the other corner, so that the usual road is not on them. */
  detourTurns: boolean;
  /** Number of Valhalla's map. */
  map: number;
  /** Taken first; null answers truthfully. */
  next: (Reply | null)[];
  close: () => Promise<void>;
};

/** The fake world: east costs double, and nothing leads to latitude 50 or more. Seconds and metres. */
export function worldTravel(from: Point, to: Point): [number, number] | null {
  if (from.lat >= 50 !== to.lat >= 50) return null;
  const metres = Math.round(Math.abs(to.lat - from.lat) * 100_000 + Math.abs(to.lng - from.lng) * 100_000);
  return [Math.round(metres * (to.lng > from.lng ? 0.2 : 0.1)), metres];
}

async function serve(answer: (path: string, body: string, server: RoadServer) => Reply): Promise<RoadServer> {
  const http = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = request.url ?? '';
      server.asked.push(path);
      server.bodies.push(body);
      const { status, body: json, headers = {} } = server.next.shift() ?? answer(path, body, server);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(json));
    });
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const { port } = http.address() as AddressInfo;
  const server: RoadServer = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    bodies: [],
    tables: [],
    detour: 2,
    detourSlows: true,
    detourTurns: false,
    map: 1,
    next: [],
    close: () =>
      new Promise((done) => {
        http.closeAllConnections();
        http.close(() => done());
      }),
  };
  return server;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** OSRM's protocol (project-osrm.org/docs/v5): nearest, table, route. */
export function osrmServer(maxTableSize = 100, dataVersion = () => 'map-1'): Promise<RoadServer> {
  return serve((path, _, server) => {
    const url = new URL(path, 'http://x');
    const [, service, , , list = ''] = url.pathname.split('/');
    const points = list.split(';').map((pair): Point => {
      const [lng = 0, lat = 0] = pair.split(',').map(Number);
      return { lat, lng };
    });
    if (service === 'nearest') return { status: 200, body: { code: 'Ok', data_version: dataVersion(), waypoints: [] } };
    if (service === 'route') return osrmRoute(points);
    const pick = (name: string): Point[] =>
      (url.searchParams.get(name) ?? '').split(';').flatMap((index) => points[Number(index)] ?? []);
    const [from, to] = [pick('sources'), pick('destinations')];
    server.tables.push([from.length, to.length]);
    if (from.length * to.length > maxTableSize * maxTableSize)
      return { status: 400, body: { code: 'TooBig', message: 'Too many table coordinates' } };
    const cells = (at: 0 | 1) => from.map((a) => to.map((b) => worldTravel(a, b)?.[at] ?? null));
    const destinations = to.map((point) => ({ distance: distanceKm(point, spotOfRoad(point)) * 1000 }));
    return { status: 200, body: { code: 'Ok', durations: cells(0), distances: cells(1), destinations } };
  });
}

function osrmRoute(points: readonly Point[]): Reply {
  const pairs = points.slice(1).map((to, index) => [points[index] ?? to, to] as const);
  if (pairs.some(([from, to]) => !worldTravel(from, to)))
    return { status: 400, body: { code: 'NoRoute', message: 'Impossible route between points' } };
  const legs = pairs.map(([from, to]) => {
    const [duration, distance] = worldTravel(from, to) ?? [0, 0];
    return { duration, distance, steps: [{ geometry: encodePolyline([from, to], 6) }] };
  });
  return { status: 200, body: { code: 'Ok', routes: [{ legs }] } };
}

type Place = { lat: number; lon: number };
type Ring = [lng: number, lat: number][];
type ValhallaQuestion = { sources?: Place[]; targets?: Place[]; locations?: Place[]; exclude_polygons?: Ring[] };

/** Limits of a server whose owner changed nothing, and how long a block of streets is: closed as a whole where it is touched. */
const usual = { wayPlaces: 20, rimsKm: 10, blockKm: 0.1 };

/**
 * Valhalla's protocol (valhalla.github.io/valhalla/api), and what 3.6.1 answers on real streets. Points west of -170 degrees are
 * near no road, those west of -160 far from it; none leads to or from a place in a closed area or in the block beside it.
 */
export function valhallaServer(maxPairs = 2500): Promise<RoadServer> {
  return serve((path, body, server) => {
    const question: ValhallaQuestion = body ? JSON.parse(body) : {};
    const read = (list: Place[] = []): Point[] => list.map(({ lat, lon }) => ({ lat, lng: lon }));
    if (path === '/status') return { status: 200, body: { version: '3.6.1', tileset_last_modified: server.map } };
    if (path === '/locate')
      return {
        status: 200,
        body: read(question.locations).map((one) => ({ edges: isOff(one) ? null : [edgeOf(spotOfRoad(one))] })),
      };
    const [from, to] = [read(question.sources), read(question.targets)];
    const points = [...from, ...to, ...read(question.locations)];
    const closed = (question.exclude_polygons ?? []).map(circleOf);
    const most = path === '/route' ? usual.wayPlaces : maxPairs;
    const size = path === '/route' ? points.length : from.length * to.length;
    if (path !== '/route') server.tables.push([from.length, to.length]);
    if (size === 0)
      return refusal(110, "Insufficiently specified required parameter 'locations' or 'sources & targets'");
    if (size > most) return refusal(150, `Exceeded max locations: ${most}`);
    if (closed.reduce((sum, { rimKm }) => sum + rimKm, 0) > usual.rimsKm)
      return refusal(167, 'Exceeded maximum circumference for exclude_polygons: 10000 meters');
    if (points.some(isOff)) return refusal(171, 'No suitable edges near location');
    const longer = closed.length > 0 ? server.detour : 1;
    const slower = server.detourSlows ? longer : 1;
    const travel: Travel = (a, b) => {
      const way = isSamePlace(a, b) ? [0, 0] : travelAround(closed, a, b);
      return way && [(way[0] ?? 0) * slower, (way[1] ?? 0) * longer];
    };
    if (path === '/route') return valhallaRoute(points, travel, closed.length > 0 && server.detourTurns);
    const ways = from.map((a) => to.map((b) => travel(a, b)));
    if (ways.flat().every((way) => way === null)) return noPath;
    const cells = (at: 0 | 1, scale: number) => ways.map((row) => row.map((way) => way && way[at] * scale));
    return { status: 200, body: { sources_to_targets: { durations: cells(0, 1), distances: cells(1, 0.001) } } };
  });
}

const isOff = ({ lng }: Point): boolean => lng < -170;
/** Two hundredths of a degree to the south are 2.2 km. */
const spotOfRoad = ({ lat, lng }: Point): Point => ({ lat: lng < -160 ? lat - 0.02 : lat, lng });
const edgeOf = ({ lat, lng }: Point) => ({ correlated_lat: lat, correlated_lon: lng });
const refusal = (code: number, error: string): Reply => ({
  status: 400,
  body: { error_code: code, error, status_code: 400, status: 'Bad Request' },
});
/** Of a way: of one of its legs; of a table: of all its pairs. */
const noPath = refusal(442, 'No path could be found for input');

type Closed = Point & { radiusKm: number; rimKm: number };

function circleOf(ring: Ring): Closed {
  const corners = ring.slice(0, -1).map(([lng, lat]): Point => ({ lat, lng }));
  const mean = (value: (point: Point) => number) => corners.reduce((sum, one) => sum + value(one), 0) / corners.length;
  const centre = { lat: mean(({ lat }) => lat), lng: mean(({ lng }) => lng) };
  const radiusKm = Math.max(...corners.map((corner) => distanceKm(centre, corner)));
  const rimKm = corners.reduce(
    (sum, corner, at) => sum + distanceKm(corner, corners[at - 1] ?? corners.at(-1) ?? corner),
    0,
  );
  return { ...centre, radiusKm, rimKm };
}

const isSamePlace = (a: Point, b: Point): boolean => a.lat === b.lat && a.lng === b.lng;

function travelAround(closed: readonly Closed[], from: Point, to: Point) {
  const isCutOff = (point: Point): boolean =>
    closed.some((circle) => distanceKm(point, circle) < circle.radiusKm + usual.blockKm);
  return isCutOff(from) || isCutOff(to) ? null : worldTravel(from, to);
}

type Travel = (from: Point, to: Point) => readonly [number, number] | null;

function valhallaRoute(points: readonly Point[], travel: Travel, turns: boolean): Reply {
  const pairs = points.slice(1).map((to, index) => [points[index] ?? to, to] as const);
  if (pairs.some(([from, to]) => !travel(from, to))) return noPath;
  const legs = pairs.map(([from, to]) => {
    const [time, metres] = travel(from, to) ?? [0, 0];
    return {
      shape: encodePolyline([from, turns ? { lat: to.lat, lng: from.lng } : { lat: from.lat, lng: to.lng }, to], 6),
      summary: { time, length: metres / 1000 },
    };
  });
  return { status: 200, body: { trip: { legs } } };
}
