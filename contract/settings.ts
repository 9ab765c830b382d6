import { z } from 'zod';
import { depotInput, operatorInput, vehicleInput } from '../domain/fleet.ts';
import { distanceUnit } from '../domain/unit-schemas.ts';
import { endpoint } from './endpoint.ts';
import { decimal, empty, id, pathId } from './shapes.ts';

export const depot = z
  .object({ id, name: z.string(), address: z.string(), latitude: decimal, longitude: decimal, isDefault: z.boolean() })
  .meta({ id: 'Depot' });
export type Depot = z.output<typeof depot>;

export const vehicle = z
  .object({
    id,
    name: z.string(),
    licensePlate: z.string().nullable(),
    depotId: id.nullable(),
    capacityTotes: z.int().nullable(),
  })
  .meta({ id: 'Vehicle' });
export type Vehicle = z.output<typeof vehicle>;

export const operatorSettings = z
  .object({ name: z.string(), timeZone: z.string(), currency: z.string(), distanceUnit, isDemo: z.boolean() })
  .meta({ id: 'OperatorSettings' });
export type OperatorSettings = z.output<typeof operatorSettings>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/settings',
  summary: 'The operator, its depots and its vehicles',
  needs: 'office:read',
  reply: z.object({ operator: operatorSettings, depots: z.array(depot), vehicles: z.array(vehicle) }),
});

export const updateOperator = endpoint({
  method: 'PUT',
  path: '/api/settings/operator',
  summary: 'Change the name, time zone, currency or units of the operator',
  needs: 'settings:manage',
  body: operatorInput,
  reply: operatorSettings,
});

export const createDepot = endpoint({
  method: 'POST',
  path: '/api/depots',
  summary: 'Add a depot; the first one is the default',
  needs: 'office:write',
  body: depotInput,
  reply: depot,
  status: 201,
});

export const updateDepot = endpoint({
  method: 'PUT',
  path: '/api/depots/:id',
  summary: 'Change a depot; making it the default takes that from the one before',
  needs: 'office:write',
  params: pathId,
  body: depotInput,
  reply: depot,
});

export const removeDepot = endpoint({
  method: 'DELETE',
  path: '/api/depots/:id',
  summary: 'Remove a depot that no vehicle and no route to come starts from',
  needs: 'office:delete',
  params: pathId,
  reply: empty,
});

export const createVehicle = endpoint({
  method: 'POST',
  path: '/api/vehicles',
  summary: 'Add a vehicle',
  needs: 'office:write',
  body: vehicleInput,
  reply: vehicle,
  status: 201,
});

export const updateVehicle = endpoint({
  method: 'PUT',
  path: '/api/vehicles/:id',
  summary: 'Change a vehicle',
  needs: 'office:write',
  params: pathId,
  body: vehicleInput,
  reply: vehicle,
});

export const removeVehicle = endpoint({
  method: 'DELETE',
  path: '/api/vehicles/:id',
  summary: 'Remove a vehicle that no route to come uses',
  needs: 'office:delete',
  params: pathId,
  reply: empty,
});
