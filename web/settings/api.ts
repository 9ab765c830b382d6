import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  addDesignation,
  createDepot,
  createVehicle,
  type Depot,
  type Designation,
  getSettings,
  type OperatorRulesShown,
  type OperatorSettings,
  removeDepot,
  removeVehicle,
  renameDesignation,
  retireDesignation,
  sendTestMessage,
  updateDepot,
  updateOperator,
  updateRules,
  updateVehicle,
  type Vehicle,
} from '../../contract/settings.ts';
import type { DepotInput, OperatorInput, VehicleInput } from '../../domain/fleet.ts';
import type { OperatorRules } from '../../domain/operator-rules.ts';
import { call, sentenceOf } from '../http/client.ts';
import { setOperatorRules } from '../http/operator-rules.ts';
import { queryFor } from '../http/query-client.ts';
import { isStale } from '../ui/forms/use-rebase.ts';
import { toast } from '../ui/toasts/toast.ts';

/** A depot or vehicle as it is now. */
export const loadDepot = async (id: number): Promise<Depot> =>
  there((await call(getSettings, {})).depots.find((depot) => depot.id === id));
export const loadVehicle = async (id: number): Promise<Vehicle> =>
  there((await call(getSettings, {})).vehicles.find((vehicle) => vehicle.id === id));

function there<R>(found: R | undefined): R {
  if (!found) throw new Error('Somebody else removed it in the meantime.');
  return found;
}

export const useSettings = () => useQuery(queryFor(getSettings, {}));

/** A change of settings; everything that shows them reads again. The failure is the form's to show. */
function useChange<I, O>(change: (input: I) => Promise<O>, title: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // What somebody else was quicker with is shown where nothing was typed.
    onError: (error) => void (isStale(error) && readAgain(client)),
    onSuccess: () => {
      toast({ title });
      return client.invalidateQueries();
    },
  });
}

const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: queryFor(getSettings, {}).queryKey });

/** The outcome is the card's to show. */
export const useTestMessage = () =>
  useMutation({ mutationFn: (channel: 'email' | 'sms') => call(sendTestMessage, { body: { channel } }) });

export const useSaveOperator = ({ version }: OperatorSettings) =>
  useChange((body: OperatorInput) => call(updateOperator, { body }, { version }), 'Settings Saved');

export function useSaveRules({ version }: OperatorRulesShown) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: OperatorRules) => call(updateRules, { body }, { version }),
    onError: (error) => void (isStale(error) && readAgain(client)),
    onSuccess: (rules) => {
      // Screens drawn from now on go by them.
      setOperatorRules(rules);
      toast({ title: 'Thresholds Saved' });
      return client.invalidateQueries();
    },
  });
}

export const useSaveDesignation = (designation: Designation | null) =>
  useChange(
    (name: string) =>
      designation
        ? call(renameDesignation, { body: { from: designation.name, to: name } })
        : call(addDesignation, { body: { name } }),
    designation ? 'Designation Renamed' : 'Designation Added',
  );

/** Retires a designation or takes it back; says why when it is still carried. */
export function useRetireDesignation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; retired: boolean }) => call(retireDesignation, { body }),
    onSuccess: (_, { retired }) => {
      toast({ title: retired ? 'Designation Retired' : 'Designation Taken Back' });
      return client.invalidateQueries();
    },
    onError: (error, { retired }) => {
      const title = retired ? 'Not Retired' : 'Not Taken Back';
      toast({ variant: 'destructive', title, description: sentenceOf(error) });
    },
  });
}

export const useSaveDepot = (depot: Depot | null) =>
  useChange(
    (body: DepotInput) =>
      depot
        ? call(updateDepot, { params: { id: depot.id }, body }, { version: depot.version })
        : call(createDepot, { body }),
    depot ? 'Depot Updated' : 'Depot Added',
  );

export const useSaveVehicle = (vehicle: Vehicle | null) =>
  useChange(
    (body: VehicleInput) =>
      vehicle
        ? call(updateVehicle, { params: { id: vehicle.id }, body }, { version: vehicle.version })
        : call(createVehicle, { body }),
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
