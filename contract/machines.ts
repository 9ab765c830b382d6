import { z } from 'zod';
import { slotUpdate } from '../domain/inventory-edit.ts';
import { machineInput, machineUpdate, slotInput } from '../domain/machine.ts';
import { plannedProduct, planogram, templateSlot } from '../domain/planogram.ts';
import { endpoint } from './endpoint.ts';
import { addressId, day, decimal, id, instant, integrationData, pathId, wholeNumber } from './shapes.ts';

export const vendingMachine = z
  .object({
    id,
    name: z.string(),
    machineId: z.string(),
    location: z.string(),
    address: z.string(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    latitude: decimal,
    longitude: decimal,
    status: z.string(),
    routeDesignation: z.string().nullable(),
    capacity: z.int(),
    currentStock: z.int(),
    lowSlots: z.int(),
    emptySlots: z.int(),
    lastRestocked: instant.nullable(),
    lastMaintenance: instant.nullable(),
    installDate: day.nullable(),
    model: z.string().nullable(),
    serialNumber: z.string().nullable(),
    vendorId: z.string().nullable(),
    contactPhone: z.string().nullable(),
    notes: z.string().nullable(),
    accessHours: z.string().nullable(),
    accessNotes: z.string().nullable(),
    integrationId: z.string().nullable(),
    integrationSource: z.string().nullable(),
    lastSeen: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'VendingMachine' });
export type VendingMachine = z.output<typeof vendingMachine>;

export const machineRecord = vendingMachine.extend({ integrationData }).meta({ id: 'VendingMachineRecord' });
export type MachineRecord = z.output<typeof machineRecord>;

export const slot = z
  .object({
    id,
    machineId: id,
    productId: id.nullable(),
    productName: z.string(),
    productCode: z.string().nullable(),
    slotNumber: z.string(),
    currentQuantity: z.int(),
    maxQuantity: z.int(),
    capacity: z.int(),
    parQuantity: z.int().nullable(),
    minimumQuantity: z.int(),
    price: decimal,
    cost: decimal.nullable(),
    category: z.string().nullable(),
    brand: z.string().nullable(),
    expirationDate: day.nullable(),
    planned: plannedProduct
      .nullable()
      .optional()
      .meta({ description: 'Another product for this slot, put in when it is next filled' }),
    picture: z.string().nullable().optional().meta({ description: 'Which picture its product has; null: none' }),
    lastRestocked: instant.nullable(),
    updatedAt: instant,
    version: z.int(),
  })
  .meta({ id: 'MachineSlot' });
export type Slot = z.output<typeof slot>;

export const listMachines = endpoint({
  method: 'GET',
  path: '/api/vending-machines',
  summary: 'Vending machines in scope, optionally of one route designation',
  needs: 'stock:read',
  query: z.object({ route: z.string().max(200).optional() }),
  reply: z.array(vendingMachine),
});

export const machinePage = endpoint({
  method: 'GET',
  path: '/api/vending-machines/page',
  summary: 'One page of the vending machines in scope that match; next is the cursor of the page after it',
  needs: 'stock:read',
  query: z.object({
    q: z.string().trim().max(100).optional(),
    status: z.string().max(50).optional(),
    route: z.string().max(20).optional(),
    sort: z.enum(['name', 'stock']).default('name'),
    cursor: addressId.optional(),
    limit: wholeNumber(1, 100).default(24),
  }),
  reply: z.object({
    machines: z.array(vendingMachine),
    total: z.int().meta({ description: 'Machines that match, on all pages' }),
    next: id.nullable(),
  }),
});

export const getMachine = endpoint({
  method: 'GET',
  path: '/api/vending-machines/:id',
  summary: 'One vending machine',
  needs: 'stock:read',
  params: pathId,
  reply: machineRecord,
});

export const createMachine = endpoint({
  method: 'POST',
  path: '/api/vending-machines',
  summary: 'Create a vending machine',
  needs: 'office:write',
  once: true,
  body: machineInput,
  reply: vendingMachine,
  status: 201,
});

export const updateMachine = endpoint({
  method: 'PUT',
  path: '/api/vending-machines/:id',
  summary:
    'Change fields of a vending machine. If-Match with the milliseconds of the updatedAt that was read refuses an edit of an older state',
  needs: 'office:write',
  params: pathId,
  body: machineUpdate,
  readAs: machineRecord,
  reply: vendingMachine,
});

export const removeMachine = endpoint({
  method: 'DELETE',
  path: '/api/vending-machines/:id',
  summary: 'Delete a vending machine; its history stays in the ledger',
  needs: 'office:delete',
  params: pathId,
  reply: z.object({ id }),
});

export const listMachineSlots = endpoint({
  method: 'GET',
  path: '/api/vending-machines/:id/inventory',
  summary: 'Slots of a machine with product, price and stock',
  needs: 'stock:read',
  params: pathId,
  reply: z.array(slot),
});

export const createMachineSlot = endpoint({
  method: 'POST',
  path: '/api/vending-machines/:id/inventory',
  summary: 'Put a product into a slot of a machine',
  needs: 'office:write',
  once: true,
  params: pathId,
  body: slotInput,
  reply: slot,
  status: 201,
});

export const listSlots = endpoint({
  method: 'GET',
  path: '/api/vending-inventory',
  summary: 'Slots of all machines in scope',
  needs: 'stock:read',
  reply: z.array(slot),
});

export const listSlotsOfMachine = endpoint({
  method: 'GET',
  path: '/api/vending-machine-inventory/:id',
  summary: 'Slots of a machine; the id is the machine',
  needs: 'stock:read',
  params: pathId,
  reply: z.array(slot),
});

export const updateSlot = endpoint({
  method: 'PUT',
  path: '/api/vending-machine-inventory/:id',
  summary:
    'Count a slot (currentQuantity) or change what stands in it; the id is the slot. Idempotency-Key names the event, If-Match the version read: beside a change of fields the quantity of that version is no count',
  needs: 'stock:count',
  params: pathId,
  body: slotUpdate,
  reply: slot.extend({ eventId: z.string().nullable() }),
});

export const removeSlot = endpoint({
  method: 'DELETE',
  path: '/api/vending-machine-inventory/:id',
  summary: 'Take a product out of a machine; the id is the slot. Late counts still find it',
  needs: 'office:write',
  params: pathId,
  reply: z.object({ id }),
});

export const planogramTemplate = z
  .object({ model: z.string(), savedBy: z.string(), savedAt: instant, slots: z.array(templateSlot) })
  .meta({ id: 'PlanogramTemplate' });

export const machinePlanogram = z
  .object({
    version: z
      .int()
      .meta({ description: 'Rises with every change of the planogram; saving takes the one that was read' }),
    model: z.string().nullable(),
    slots: z.array(slot),
    template: planogramTemplate.nullable().meta({ description: 'Of the model of this machine' }),
  })
  .meta({ id: 'MachinePlanogram' });
export type MachinePlanogram = z.output<typeof machinePlanogram>;

export const getPlanogram = endpoint({
  method: 'GET',
  path: '/api/vending-machines/:id/planogram',
  summary: 'The planogram of a machine, and the template of its model',
  needs: 'stock:read',
  params: pathId,
  reply: machinePlanogram,
});

export const savePlanogram = endpoint({
  method: 'PUT',
  path: '/api/vending-machines/:id/planogram',
  summary:
    'Say where what stands: positions without an id are new, slots not named are taken out, ids of slots taken out before come back. Wholly or not at all',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({ version: z.int().min(0), slots: planogram }),
  reply: machinePlanogram,
});

export const saveTemplate = endpoint({
  method: 'PUT',
  path: '/api/vending-machines/:id/planogram/template',
  summary: 'Keep the planogram of this machine as the template of its model, in place of the one before',
  needs: 'office:write',
  params: pathId,
  reply: machinePlanogram,
});
