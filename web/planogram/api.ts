import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getPlanogram, type MachinePlanogram, savePlanogram, saveTemplate } from '../../contract/machines.ts';
import type { PlacedSlot } from '../../domain/planogram.ts';
import { placedOf } from '../../domain/planogram-change.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { machinesChanged } from '../machines/api.ts';
import { toast } from '../ui/toasts/toast.ts';

const readOf = (machineId: number) => queryFor(getPlanogram, { params: { id: machineId } });

export const usePlanogram = (machineId: number) => useQuery(readOf(machineId));

type Wanted = { slots: readonly PlacedSlot[]; done: string };

/** Saves a whole planogram; the toast says what was done and takes it back. */
export function useSavePlanogram(machineId: number, planogram: MachinePlanogram) {
  const client = useQueryClient();
  const send = ({ slots, version }: { slots: readonly PlacedSlot[]; version: number }) =>
    call(savePlanogram, { params: { id: machineId }, body: { version, slots: [...slots] } });
  // Nobody waits for the lists that show it elsewhere: the next move may follow at once.
  const keep = (saved: MachinePlanogram): void => {
    client.setQueryData(readOf(machineId).queryKey, saved);
    void machinesChanged(client);
  };
  const failed = (error: unknown): void => {
    toast({ title: 'Planogram not saved', description: sentenceOf(error), variant: 'destructive' });
    void machinesChanged(client);
  };
  const undo = async (version: number, before: readonly PlacedSlot[]): Promise<void> => {
    try {
      keep(await send({ version, slots: before }));
      toast({ title: 'Planogram as before' });
    } catch (error) {
      failed(error);
    }
  };
  return useMutation({
    mutationFn: async ({ slots }: Wanted) => {
      // As it is now: by the time the answer is here, the change itself may have been read again.
      const before = planogram.slots.map(placedOf);
      return { saved: await send({ slots, version: planogram.version }), before };
    },
    onSuccess: ({ saved, before }, { done }) => {
      toast({ title: done, action: { label: 'Undo', run: () => void undo(saved.version, before) } });
      keep(saved);
    },
    onError: failed,
  });
}

export type SavePlanogram = ReturnType<typeof useSavePlanogram>;

export function useSaveTemplate(machineId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(saveTemplate, { params: { id: machineId } }),
    onSuccess: (saved) => {
      toast({ title: 'Template saved', description: `For every ${saved.model ?? ''}` });
      return machinesChanged(client);
    },
    onError: (error) => toast({ title: 'Template not saved', description: sentenceOf(error), variant: 'destructive' }),
  });
}
