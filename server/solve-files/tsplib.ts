import type { Vehicle } from '../../optimizer/index.ts';
import { inTenths, tableOf, tenths } from './distances.ts';
import { type Line, numberIn, refused, type ScaledProblem } from './numbered-lines.ts';
import { distancesOf, perNode, placesOf, type Sections, sectionsOf } from './tsplib-sections.ts';

/** Reads a travelling salesman problem. Node 1 is the depot; the others keep the numbers of the file. */
export function readTsp(text: string): ScaledProblem {
  const sections = sectionsOf(text);
  const jobs = Array.from({ length: sections.size - 1 }, (_, index) => ({ id: index + 2, location_index: index + 1 }));
  return {
    name: sections.head.get('NAME')?.text ?? '',
    unit: 1,
    problem: {
      jobs,
      vehicles: [{ id: 1, start_index: 0, end_index: 0 }],
      matrices: { car: { durations: distancesOf(sections) } },
    },
  };
}

function windowIn(line: Line, unit: number): [number, number] {
  const [from, to] = [numberIn(line, 1, 'window start', 0), numberIn(line, 2, 'window end', 0)];
  if (to < from) throw refused(`line ${line.number}, node ${line.words[0]}`, `window ends (${to}) before it starts.`);
  return [Math.round(from * unit), Math.round(to * unit)];
}

function headNumber({ head }: Sections, name: string, least: number): number | undefined {
  const line = head.get(name);
  return line && numberIn(line, 0, name, least);
}

function depotOf({ parts, size }: Sections): number {
  const listed = (parts.get('DEPOT_SECTION') ?? []).map((line) => numberIn(line, 0, 'depot')).filter((one) => one > 0);
  const depot = listed[0] ?? 1;
  if (listed.length > 1) throw refused('DEPOT_SECTION', 'more than one depot is not supported.');
  if (depot > size) throw refused('DEPOT_SECTION', `there is no node ${depot}.`);
  return depot - 1;
}

/** What the file says of each node, whole and in units of the problem. */
function nodesOf(sections: Sections, unit: number) {
  const { parts, size } = sections;
  const field = (part: string, name: string) =>
    parts.has(part) ? perNode(sections, part, (line) => numberIn(line, 1, name, 0)) : undefined;
  const services = field('SERVICE_TIME_SECTION', 'service time');
  const service = headNumber(sections, 'SERVICE_TIME', 0) ?? 0;
  const prizes = field('PRIZE_SECTION', 'prize');
  const windows = parts.has('TIME_WINDOW_SECTION')
    ? perNode(sections, 'TIME_WINDOW_SECTION', (line) => windowIn(line, unit))
    : undefined;
  const demands = field('DEMAND_SECTION', 'demand');
  if (!demands) throw refused('DEMAND_SECTION', 'is missing; the file may be cut off.');
  return Array.from({ length: size }, (_, node) => ({
    demand: demands[node] ?? 0,
    service: Math.round((services?.[node] ?? service) * unit),
    prize: prizes && Math.round((prizes[node] ?? 0) * unit),
    window: windows?.[node],
  }));
}

/**
 * Reads a capacitated problem, also with windows and prizes. Customers are numbered from 1 without the depot, as in CVRPLIB's
 * solution files. Without windows distances follow the file's rule; with windows they are cut after the first decimal.
 */
export function readVrp(text: string): ScaledProblem {
  const sections = sectionsOf(text);
  const isTimed = sections.parts.has('TIME_WINDOW_SECTION');
  const unit = isTimed ? tenths : 1;
  const capacity = headNumber(sections, 'CAPACITY', 1);
  if (capacity === undefined) throw refused('head', 'CAPACITY is missing.');
  const isExplicit = sections.head.get('EDGE_WEIGHT_TYPE')?.text === 'EXPLICIT';
  if (isTimed && isExplicit) throw refused('EDGE_WEIGHT_TYPE', 'EXPLICIT together with windows is not supported.');
  const durations = isTimed ? tableOf(placesOf(sections), inTenths) : distancesOf(sections);
  const nodes = nodesOf(sections, unit);
  const depot = depotOf(sections);
  const jobs = nodes.flatMap(({ demand, service, prize, window }, node) => {
    if (node === depot) return [];
    const id = node < depot ? node + 1 : node;
    return { id, location_index: node, delivery: [demand], service, prize, time_windows: window ? [window] : [] };
  });
  const longest = headNumber(sections, 'DISTANCE', 0);
  const shift = nodes[depot]?.window ?? (longest === undefined ? undefined : ([0, longest * unit] as const));
  const vehicle: Omit<Vehicle, 'id'> = {
    start_index: depot,
    end_index: depot,
    capacity: [capacity],
    time_window: shift,
  };
  // Two half-empty routes can always be joined into one, so more than twice the load needs no vehicle.
  const demand = nodes.reduce((sum, node) => sum + node.demand, 0);
  const enough = shift ? jobs.length : Math.min(jobs.length, 2 * Math.ceil(demand / capacity) + 1);
  const vehicles = headNumber(sections, 'VEHICLES', 1) ?? enough;
  return {
    name: sections.head.get('NAME')?.text ?? '',
    unit,
    problem: {
      jobs,
      vehicles: Array.from({ length: vehicles }, (_, index) => ({ id: index + 1, ...vehicle })),
      matrices: { car: { durations } },
    },
  };
}
