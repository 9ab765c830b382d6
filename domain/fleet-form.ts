import { z } from 'zod';
import { vehicleInput } from './fleet.ts';

/** What is typed about a vehicle: text everywhere. */
export type VehicleTyped = Record<'name' | 'licensePlate' | 'depotId' | 'capacityTotes', string>;

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** Text into what the server takes. */
export const typedVehicle = z.preprocess((typed) => {
  const { name, licensePlate, depotId, capacityTotes } = typed as VehicleTyped;
  return { name, licensePlate, depotId: numberOf(depotId), capacityTotes: numberOf(capacityTotes) };
}, vehicleInput);
