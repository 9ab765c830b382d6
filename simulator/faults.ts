import type { Day } from './calendar.ts';
import { at, hash, share } from './random.ts';
import type { Alert } from './records.ts';

type Fault = Pick<Alert, 'alertType' | 'message' | 'severity'>;

const faults: readonly Fault[] = [
  { alertType: 'bill_validator', message: 'The bill validator rejects every note', severity: 'medium' },
  { alertType: 'coin_jam', message: 'A coin is stuck in the coin mechanism', severity: 'medium' },
  { alertType: 'payment_offline', message: 'The card reader does not answer', severity: 'high' },
  { alertType: 'door_open', message: 'The door has been open for more than 10 minutes', severity: 'high' },
  {
    alertType: 'vend_failure',
    message: 'A motor did not turn: a customer may have paid for nothing',
    severity: 'medium',
  },
  { alertType: 'change_low', message: 'The coin tubes are nearly empty', severity: 'low' },
];
const warm: Fault = { alertType: 'temperature', message: 'Temperature 49 °F, limit 41 °F', severity: 'critical' };

const faultsPerDay = 1 / 40;
const hourMs = 3_600_000;
/** No fault lasts longer, so looking this many days back finds every open one. */
export const longestFaultDays = 4;

/** The faults of one machine that begin on a day, each with the instant of its repair. */
export function faultsOn(seed: number, machine: { id: number; hasCooler: boolean }, day: Day): Alert[] {
  if (share(seed, machine.id, day.number, 11) >= faultsPerDay) return [];
  return [faultOf(seed, machine, day, 3 + 60 * share(seed, machine.id, day.number, 12))];
}

/** One machine of the operator has a fault every day that lasts into the next: there is always something open. */
export function dailyFault(seed: number, machines: readonly { id: number; hasCooler: boolean }[], day: Day): Alert[] {
  if (machines.length === 0) return [];
  const machine = at(machines, hash(seed, day.number, 13) % machines.length);
  return [faultOf(seed, machine, day, 40)];
}

function faultOf(seed: number, machine: { id: number; hasCooler: boolean }, day: Day, hours: number): Alert {
  const mark = hash(seed, machine.id, day.number, 14);
  const fault = machine.hasCooler && mark % 5 === 0 ? warm : at(faults, mark % faults.length);
  const atMs = Math.round(day.startMs + share(mark, 1) * (day.endMs - day.startMs));
  return { machineId: machine.id, slotId: null, ...fault, atMs, resolvedMs: Math.round(atMs + hours * hourMs) };
}

const silentPart = 0.03;
const periodDays = 5;

/**
 * Machines that have stopped reporting at the end of a day, with the instant they were last heard of. Who is silent
 * changes every five days; each stays so for five to ten.
 */
export function silentMachines(seed: number, machineIds: readonly number[], day: Day): Map<number, number> {
  const period = Math.floor(day.number / periodDays);
  const wanted = Math.min(machineIds.length, Math.max(4, Math.round(machineIds.length * silentPart)));
  const silent = new Map<number, number>();
  for (const one of [period - 1, period]) {
    const begunDaysAgo = day.number - one * periodDays;
    const chosen = [...machineIds]
      .sort((a, b) => hash(seed, a, one, 15) - hash(seed, b, one, 15))
      .slice(0, Math.ceil(wanted / 2));
    for (const id of chosen) {
      const hours = 24 * begunDaysAgo - 20 * share(seed, id, one, 16);
      if (!silent.has(id) && begunDaysAgo > 0) silent.set(id, Math.round(day.endMs - hours * hourMs));
    }
  }
  return silent;
}
