import { inTenths, tableOf, tenths } from './distances.ts';
import { type Line, linesOf, numberIn, refused, type ScaledProblem } from './numbered-lines.ts';

const fields = ['CUST NO.', 'XCOORD.', 'YCOORD.', 'DEMAND', 'READY TIME', 'DUE DATE', 'SERVICE TIME'];

function customerOf(line: Line) {
  const at = (column: number, least?: number) => numberIn(line, column, fields[column] ?? '', least);
  const [id, x, y, demand, ready, due, service] = [at(0), at(1), at(2), at(3, 0), at(4, 0), at(5, 0), at(6, 0)];
  if (due < ready)
    throw refused(`line ${line.number}, customer ${id}`, `DUE DATE ${due} is before READY TIME ${ready}.`);
  const window: [number, number] = [Math.round(ready * tenths), Math.round(due * tenths)];
  return { id, x, y, demand, window, service: Math.round(service * tenths) };
}

/** Reads the text form of Solomon (1987) and of Gehring and Homberger (1999). */
export function readSolomon(text: string): ScaledProblem {
  const lines = linesOf(text);
  const number = lines.findIndex((line) => line.words[0] === 'NUMBER');
  const fleet = lines[number + 1];
  if (number < 0 || !fleet) throw refused('VEHICLE', 'NUMBER and CAPACITY are missing; the file may be cut off.');
  const [count, capacity] = [numberIn(fleet, 0, 'NUMBER', 1), numberIn(fleet, 1, 'CAPACITY', 0)];
  const title = lines.findIndex((line) => line.words[0] === 'CUST');
  const customers = title < 0 ? [] : lines.slice(title + 1).map(customerOf);
  const [depot, ...visits] = customers;
  if (!depot || !visits.length) throw refused('CUSTOMER', 'no customer is listed; the file may be cut off.');
  const late = visits.find((visit) => depot.window[0] + inTenths(depot, visit) > visit.window[1]);
  if (late) throw refused(`customer ${late.id}`, 'DUE DATE cannot be met even straight from the depot.');
  const vehicle = { start_index: 0, end_index: 0, capacity: [capacity], time_window: depot.window };
  return {
    name: lines[0]?.text ?? '',
    unit: tenths,
    problem: {
      jobs: visits.map(({ id, demand, window, service }, index) => {
        return { id, location_index: index + 1, delivery: [demand], service, time_windows: [window] };
      }),
      vehicles: Array.from({ length: count }, (_, index) => ({ id: index + 1, ...vehicle })),
      matrices: { car: { durations: tableOf(customers, inTenths) } },
    },
  };
}
