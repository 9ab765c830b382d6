import { useMutationState } from '@tanstack/react-query';
import { useAddress } from '../ui/address/use-address.ts';

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

/**
 * Takes a removed configuration out of the address, with what was open of it: a link would name what is no more. Said by whoever
 * removes it and not by its panel, which may be gone before the answer is there.
 */
export function useForgetConfig(openOfIt: readonly string[]): (configId: number) => void {
  const { getNow, set } = useAddress();
  return (configId) => {
    // Where none is named, the first one was open.
    if ((getNow('config') ?? String(configId)) !== String(configId)) return;
    set(Object.fromEntries(['config', ...openOfIt].map((name) => [name, null])));
  };
}
