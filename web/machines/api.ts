import { type QueryClient, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createMachine,
  createMachineSlot,
  getMachine,
  listMachineSlots,
  machinePage,
  removeMachine,
  removeSlot,
  type Slot,
  updateMachine,
  updateSlot,
  type VendingMachine,
} from '../../contract/machines.ts';
import type { MachineInput, MachineUpdate, SlotInput } from '../../domain/machine.ts';
import { call } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export type MachineFilter = { q: string; status: string; route: string; sort: 'name' | 'stock' };

export const machinesAtOnce = 24;

/** The machines that match, page after page. */
export function useMachinePages(filter: MachineFilter) {
  return useInfiniteQuery({
    queryKey: [machinePage.path, filter],
    queryFn: ({ pageParam }) =>
      call(machinePage, {
        query: { ...filled(filter), limit: machinesAtOnce, ...(pageParam ? { cursor: pageParam } : {}) },
      }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next ?? undefined,
    // What was found stays in sight until the next answer is there.
    placeholderData: (before) => before,
  });
}

/** Pages for an export: large ones, one after the other. */
export async function loadMachinePage(filter: MachineFilter, page: string | null) {
  const cursor = page === null ? {} : { cursor: Number(page) };
  const { machines, next } = await call(machinePage, { query: { ...filled(filter), limit: 100, ...cursor } });
  return { rows: machines, next: next === null ? null : String(next) };
}

function filled({ q, status, route, sort }: MachineFilter) {
  return { sort, ...(q ? { q } : {}), ...(status ? { status } : {}), ...(route ? { route } : {}) };
}

export const useMachine = (id: number) => useQuery(queryFor(getMachine, { params: { id } }));
export const loadMachine = (id: number): Promise<VendingMachine> => call(getMachine, { params: { id } });
export const useSlots = (machineId: number) => useQuery(queryFor(listMachineSlots, { params: { id: machineId } }));

/** Everything that shows machines, their slots or sums over them. */
const shownIn = [
  '/api/vending-machine',
  '/api/vending-inventory',
  '/api/dashboard',
  '/api/route-designations',
  '/api/location-',
  '/api/locations',
  '/api/scheduled-routes',
];

export function machinesChanged(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => shownIn.some((start) => String(path).startsWith(start)),
  });
}

const failed = { variant: 'destructive', title: 'Error' } as const;

/** The version of a machine that an edit builds on. */
const versionOf = (machine: VendingMachine): number => Date.parse(machine.updatedAt);

/** Creates a machine, or changes the one given; says how it went. The failure is the form's to show as well. */
export function useSaveMachine(machine: VendingMachine | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: MachineUpdate): Promise<VendingMachine> =>
      machine
        ? call(updateMachine, { params: { id: machine.id }, body }, { version: versionOf(machine) })
        : // The form of a new one has checked it as such.
          call(createMachine, { body: body as MachineInput }),
    onSuccess: (saved) => {
      toast({ title: machine ? 'Machine updated' : 'Machine created', description: saved.name });
      return machinesChanged(client);
    },
    onError: () => toast({ ...failed, description: `Failed to ${machine ? 'update' : 'create'} vending machine.` }),
  });
}

export function useRemoveMachine() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (machine: VendingMachine) => call(removeMachine, { params: { id: machine.id } }),
    onSuccess: (_, machine) => {
      toast({ title: 'Machine deleted', description: machine.name });
      return machinesChanged(client);
    },
    onError: () => toast({ ...failed, description: 'Failed to delete vending machine.' }),
  });
}

type SlotChange = { slot: Slot | null; input: SlotInput };

/** Puts a product into a slot, or changes the slot given. A failure is the form's to tell, which may find that it is none. */
export function useSaveSlot(machineId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ slot, input }: SlotChange): Promise<Slot> => {
      if (!slot) return call(createMachineSlot, { params: { id: machineId }, body: input });
      const { currentQuantity, ...fields } = input;
      // An unchanged quantity is not a count: a sale in between would be undone by it.
      const counted = currentQuantity === slot.currentQuantity ? {} : { currentQuantity };
      return call(updateSlot, { params: { id: slot.id }, body: { ...fields, ...counted } }, { version: slot.version });
    },
    onSuccess: (saved, { slot }) => {
      const description = `${saved.slotNumber} ${saved.productName}`;
      toast({ title: slot ? 'Inventory updated' : 'Inventory added', description });
      return machinesChanged(client);
    },
  });
}

export const tellSlotFailed = (slot: Slot | null): void =>
  toast({ ...failed, description: `Failed to ${slot ? 'update' : 'add'} inventory item.` });

/** A slot as it is now. */
export async function loadSlot({ id, machineId }: Slot): Promise<Slot> {
  const found = (await call(listMachineSlots, { params: { id: machineId } })).find((slot) => slot.id === id);
  if (!found) throw new Error('Somebody else removed it in the meantime.');
  return found;
}

export function useRemoveSlot() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (slot: Slot) => call(removeSlot, { params: { id: slot.id } }),
    onSuccess: (_, slot) => {
      toast({ title: 'Inventory removed', description: `${slot.slotNumber} ${slot.productName}` });
      return machinesChanged(client);
    },
    onError: () => toast({ ...failed, description: 'Failed to remove inventory item.' }),
  });
}
