/** Whether a vehicle can drive a whole sequence of stops with every promise kept. Exact; used where a move changes more than one place. */

import { NO_WAY } from '../cost.ts';
import { endOf, isReload, type Model, startOf } from '../model.ts';
import { legsOf } from './chain.ts';
import { canCarry } from './loads.ts';
import { endTime, shiftStart } from './schedule.ts';

function isWithinLimits(model: Model, vehicle: number, stops: ArrayLike<number>): boolean {
  const { seconds, metres } = legsOf(model, vehicle);
  let drivenSeconds = 0;
  let drivenMetres = 0;
  let from = startOf(model, vehicle);
  for (let i = 0; i <= stops.length; i++) {
    const to = stops[i] ?? endOf(model, vehicle);
    const cell = (model.place[from] ?? 0) * model.places + (model.place[to] ?? 0);
    drivenSeconds += seconds[cell] ?? 0;
    drivenMetres += metres[cell] ?? 0;
    from = to;
  }
  return drivenSeconds <= (model.maxSeconds[vehicle] ?? 0) && drivenMetres <= (model.maxMetres[vehicle] ?? 0);
}

export function canDrive(model: Model, vehicle: number, stops: ArrayLike<number>): boolean {
  if (stops.length === 0) return true;
  let jobs = stops.length;
  for (let i = 0; i < stops.length; i++) {
    const stop = stops[i] ?? 0;
    if (isReload(model, stop)) jobs--;
    const isPromised = model.lockedTo[stop] === vehicle;
    if (!isPromised && model.allowed[stop * model.vehicles + vehicle] === 0) return false;
  }
  if (jobs > (model.maxTasks[vehicle] ?? 0)) return false;
  if (!canCarry(model, vehicle, stops) || !isWithinLimits(model, vehicle, stops)) return false;
  return !model.timed || endTime(model, vehicle, stops, shiftStart(model, vehicle)) < NO_WAY;
}
