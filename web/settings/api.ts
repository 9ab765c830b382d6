import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createDepot,
  createVehicle,
  type Depot,
  getSettings,
  removeDepot,
  removeVehicle,
  updateDepot,
  updateOperator,
  updateVehicle,
  type Vehicle,
} from '../../contract/settings.ts';
import type { DepotInput, OperatorInput, VehicleInput } from '../../domain/fleet.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toast.ts';

export const useSettings = () => useQuery(queryFor(getSettings, {}));

/** A change of settings; everything that shows them reads again. The failure is the form's to show. */
function useChange<I, O>(change: (input: I) => Promise<O>, title: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      toast({ title });
      return client.invalidateQueries();
    },
  });
}

export const useSaveOperator = () =>
  useChange((body: OperatorInput) => call(updateOperator, { body }), 'Settings Saved');

export const useSaveDepot = (depot: Depot | null) =>
  useChange(
    (body: DepotInput) => (depot ? call(updateDepot, { params: { id: depot.id }, body }) : call(createDepot, { body })),
    depot ? 'Depot Updated' : 'Depot Added',
  );

export const useSaveVehicle = (vehicle: Vehicle | null) =>
  useChange(
    (body: VehicleInput) =>
      vehicle ? call(updateVehicle, { params: { id: vehicle.id }, body }) : call(createVehicle, { body }),
    vehicle ? 'Vehicle Updated' : 'Vehicle Added',
  );

/** Removes a depot or a vehicle; says why when it is still needed. */
export function useRemove(what: 'depot' | 'vehicle') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      what === 'depot' ? call(removeDepot, { params: { id } }) : call(removeVehicle, { params: { id } }),
    onSuccess: () => {
      toast({ title: what === 'depot' ? 'Depot Removed' : 'Vehicle Removed' });
      return client.invalidateQueries();
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Delete Failed', description: sentenceOf(error) }),
  });
}
