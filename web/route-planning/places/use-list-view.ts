import { useAddress } from '../../ui/address/use-address.ts';
import type { ListView } from './select-card.tsx';

/** Filter, tab and search of the lists, kept in the address bar so that a view can be shared and gone back to. */
export function useListView(): [ListView, (change: Partial<ListView>) => void] {
  const { get, set } = useAddress();
  const view: ListView = {
    route: get('route') ?? '',
    tab: get('tab') === 'machines' ? 'machines' : 'markets',
    asked: get('q') ?? '',
    lowOnly: get('low') === '1',
  };

  function change(part: Partial<ListView>): void {
    const values: Record<string, string | null> = {};
    if (part.route !== undefined) values.route = part.route || null;
    if (part.tab !== undefined) values.tab = part.tab === 'machines' ? part.tab : null;
    if (part.lowOnly !== undefined) values.low = part.lowOnly ? '1' : null;
    if (Object.keys(values).length > 0) set(values);
  }

  return [view, change];
}
