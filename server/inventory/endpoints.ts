import * as inventory from '../../contract/inventory.ts';
import * as machines from '../../contract/machines.ts';
import type { Deps } from '../deps.ts';
import { parseEditHeaders } from '../http/edit-headers.ts';
import { type Handled, handle } from '../http/handle.ts';
import {
  createItem,
  getItem,
  listItems,
  listItemsOfMarket,
  listLowStock,
  pageOfItems,
  pageOfLowStock,
  removeItem,
  restoreItem,
  summarizeItems,
  updateItem,
} from './items/items.ts';
import { removeItems, restoreItems, setMinimums } from './items/many-items.ts';
import { getPlanogram, savePlanogram, saveTemplate } from './planogram/planogram.ts';
import { createSlot, listSlots, listSlotsOfMachine, removeSlot, updateSlot } from './planogram/slots.ts';

export function inventoryEndpoints(deps: Deps): Handled[] {
  return [
    handle(inventory.listInventory, ({ caller }) => listItems(deps, caller)),
    handle(inventory.pageInventory, ({ caller, query }) => pageOfItems(deps, caller, query)),
    handle(inventory.getInventorySummary, ({ caller }) => summarizeItems(deps, caller)),
    handle(inventory.getInventoryItem, ({ caller, params }) => getItem(deps, caller, params.id)),
    handle(inventory.restoreInventoryItem, ({ caller, params }) => restoreItem(deps, caller, params.id)),
    handle(inventory.listLowStock, ({ caller }) => listLowStock(deps, caller)),
    handle(inventory.pageLowStock, ({ caller, query }) => pageOfLowStock(deps, caller, query)),
    handle(inventory.listMarketInventory, ({ caller, params }) => listItemsOfMarket(deps, caller, params.id)),
    handle(inventory.createInventoryItem, ({ caller, body }) => createItem(deps, caller, body)),
    handle(inventory.updateInventoryItem, ({ caller, params, body, request }) =>
      updateItem(deps, caller, params.id, { body, headers: parseEditHeaders(request.headers) }),
    ),
    handle(inventory.removeInventoryItem, ({ caller, params }) => removeItem(deps, caller, params.id)),
    handle(inventory.setMinimums, ({ caller, body }) => setMinimums(deps, caller, body)),
    handle(inventory.removeInventoryItems, ({ caller, body }) => removeItems(deps, caller, body.ids)),
    handle(inventory.restoreInventoryItems, ({ caller, body }) => restoreItems(deps, caller, body.ids)),
    handle(machines.listMachineSlots, ({ caller, params }) => listSlotsOfMachine(deps, caller, params.id)),
    handle(machines.createMachineSlot, ({ caller, params, body }) => createSlot(deps, caller, params.id, body)),
    handle(machines.listSlots, ({ caller }) => listSlots(deps, caller)),
    handle(machines.listSlotsOfMachine, ({ caller, params }) => listSlotsOfMachine(deps, caller, params.id)),
    handle(machines.updateSlot, ({ caller, params, body, request }) =>
      updateSlot(deps, caller, params.id, { body, headers: parseEditHeaders(request.headers) }),
    ),
    handle(machines.getPlanogram, ({ caller, params }) => getPlanogram(deps, caller, params.id)),
    handle(machines.savePlanogram, ({ caller, params, body }) => savePlanogram(deps, caller, params.id, body)),
    handle(machines.saveTemplate, ({ caller, params }) => saveTemplate(deps, caller, params.id)),
    handle(machines.removeSlot, ({ caller, params }) => removeSlot(deps, caller, params.id)),
  ];
}
