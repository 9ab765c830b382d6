import { useMemo } from 'react';
import { useDesignations, useMachines, useMarketStock, useMarkets } from '../api.ts';
import { type Candidate, machineCandidates, marketCandidates } from './locations.ts';
import type { ListState, Tab } from './select-card.tsx';

const none: readonly never[] = [];

/** Both lists of a designation as the screen needs them. */
export function useLocations(designation: string) {
  const designations = useDesignations();
  const markets = useMarkets(designation);
  const machines = useMachines(designation);
  const stock = useMarketStock();

  const marketRows = useMemo(
    () => marketCandidates(markets.data ?? none, stock.data ?? none),
    [markets.data, stock.data],
  );
  const machineRows = useMemo(() => machineCandidates(machines.data ?? none), [machines.data]);
  const all = useMemo(() => [...marketRows, ...machineRows], [marketRows, machineRows]);
  const byKey = useMemo(() => new Map<string, Candidate>(all.map((row) => [row.key, row])), [all]);
  const lists: Record<Tab, ListState> = {
    markets: listState(marketRows, markets),
    machines: listState(machineRows, machines),
  };
  return { designations: designations.data ?? none, lists, all, byKey };
}

type Asked = { isPending: boolean; isError: boolean; error: Error | null; refetch: () => unknown };

function listState(rows: readonly Candidate[], asked: Asked): ListState {
  return {
    rows,
    loading: asked.isPending,
    failure: asked.isError ? asked.error : null,
    retry: () => void asked.refetch(),
  };
}
