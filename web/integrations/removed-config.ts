import { useMutationState } from '@tanstack/react-query';

/** Marks what removes a configuration; its variable is the id. */
export const configRemoval = ['remove-config'] as const;

/** A configuration that is being removed or was: the server knows it no more, whenever this tab hears of that. */
export function useIsRemoved(configId: number | null): boolean {
  const removals = useMutationState({
    filters: { mutationKey: configRemoval, predicate: ({ state }) => state.status !== 'error' },
    select: ({ state }) => state.variables,
  });
  return removals.includes(configId);
}
