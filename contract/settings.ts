import { z } from 'zod';
import { depotInput, operatorInput, vehicleInput } from '../domain/fleet.ts';
import { text } from '../domain/market.ts';
import { operatorRulesInput } from '../domain/operator-rules-form.ts';
import { distanceUnit } from '../domain/unit-schemas.ts';
import { endpoint } from './endpoint.ts';
import { decimal, empty, id, pathId } from './shapes.ts';

const version = z
  .int()
  .meta({ description: 'Another one after every change; If-Match refuses an edit of an older state' });

export const depot = z
  .object({
    ...{ id, name: z.string(), address: z.string(), latitude: decimal, longitude: decimal, isDefault: z.boolean() },
    version,
  })
  .meta({ id: 'Depot' });
export type Depot = z.output<typeof depot>;

export const vehicle = z
  .object({
    id,
    name: z.string(),
    licensePlate: z.string().nullable(),
    depotId: id.nullable(),
    capacityTotes: z.int().nullable(),
    version,
  })
  .meta({ id: 'Vehicle' });
export type Vehicle = z.output<typeof vehicle>;

export const operatorRules = z
  .object({
    lateAfterMin: z.int().meta({ description: 'Minutes after the planned arrival from which a stop is late' }),
    phoneSilentHours: z.int().meta({ description: 'Hours of silence after which a phone may hold unsent changes' }),
    lowLevelPercent: z.int().meta({ description: 'Below it a market’s stock level is low' }),
    goodLevelPercent: z.int().meta({ description: 'From it on a market’s stock level is healthy' }),
    lowSlotPercent: z.int().meta({ description: 'Below this part of its capacity a slot without a minimum is low' }),
    workStart: z.string().meta({ description: 'When a driver’s day begins, as HH:MM' }),
    workEnd: z.string().meta({ description: 'When it ends' }),
    version,
  })
  .meta({ id: 'OperatorRules' });
export type OperatorRulesShown = z.output<typeof operatorRules>;

export const designation = z
  .object({
    name: z.string(),
    markets: z.int(),
    machines: z.int(),
    people: z.int(),
    isRetired: z.boolean(),
  })
  .meta({ id: 'Designation' });
export type Designation = z.output<typeof designation>;

export const operatorSettings = z
  .object({ name: z.string(), timeZone: z.string(), currency: z.string(), distanceUnit, isDemo: z.boolean(), version })
  .meta({ id: 'OperatorSettings' });
export type OperatorSettings = z.output<typeof operatorSettings>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/settings',
  summary: 'The operator, its thresholds and working hours, depots, vehicles and route designations',
  needs: 'office:read',
  reply: z.object({
    operator: operatorSettings,
    rules: operatorRules,
    designations: z.array(designation),
    depots: z.array(depot),
    vehicles: z.array(vehicle),
  }),
});

export const updateOperator = endpoint({
  method: 'PUT',
  path: '/api/settings/operator',
  summary: 'Change the name, time zone, currency or units of the operator',
  needs: 'settings:manage',
  body: operatorInput,
  reply: operatorSettings,
});

export const updateRules = endpoint({
  method: 'PUT',
  path: '/api/settings/rules',
  summary: 'Change from when on something is late, silent or low, and when people work',
  needs: 'settings:manage',
  body: operatorRulesInput,
  reply: operatorRules,
});

export const sendTestMessage = endpoint({
  method: 'POST',
  path: '/api/settings/test-message',
  summary: 'Send a message to your own address or number, to see whether sign-in codes go out that way',
  needs: 'settings:manage',
  body: z.strictObject({ channel: z.enum(['email', 'sms']) }),
  reply: z.object({
    sentTo: z.string().nullable().meta({ description: 'Null: no address or number of yours is kept' }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why it did not go out; null where mail server or gateway took it' }),
    isSetUp: z.boolean().meta({ description: 'False: nothing was tried, and `problem` says what to set' }),
  }),
});
export type TestMessage = z.output<typeof sendTestMessage.reply>;

const designationName = text(20, 'Route designation').min(1, 'Name the route designation');

export const addDesignation = endpoint({
  method: 'POST',
  path: '/api/settings/designations',
  summary: 'Add a route designation, to be given to places and people',
  needs: 'settings:manage',
  body: z.strictObject({ name: designationName }),
  reply: designation,
  status: 201,
});

export const renameDesignation = endpoint({
  method: 'POST',
  path: '/api/settings/designations/rename',
  summary: 'Rename a route designation everywhere; past routes and sales keep the name they had',
  needs: 'settings:manage',
  body: z.strictObject({ from: designationName, to: designationName }),
  reply: designation,
});

export const retireDesignation = endpoint({
  method: 'POST',
  path: '/api/settings/designations/retire',
  summary: 'Offer a route designation that nothing carries no more, or again',
  needs: 'settings:manage',
  body: z.strictObject({ name: designationName, retired: z.boolean() }),
  reply: designation,
});

export const createDepot = endpoint({
  method: 'POST',
  path: '/api/depots',
  summary: 'Add a depot; the first one is the default',
  needs: 'office:write',
  once: true,
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
  once: true,
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
