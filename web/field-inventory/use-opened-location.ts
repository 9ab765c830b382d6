import { useRouter, useRouterState } from '@tanstack/react-router';
import type { LocationRef } from '../../domain/location.ts';

const path = '/mobile-inventory';

/** Reads `?type=market&id=7`. Null for anything else: then the list shows. */
function parseLocation(search: string): LocationRef | null {
  const params = new URLSearchParams(search);
  // The router may have written the values as JSON text.
  const type = params.get('type')?.replaceAll('"', '');
  const id = Number(params.get('id')?.replaceAll('"', ''));
  if (type !== 'market' && type !== 'vending_machine') return null;
  return Number.isInteger(id) && id > 0 ? { type, id } : null;
}

/** The location opened is in the address, so that the schedule can link to it and the phone's back button closes it. */
export function useOpenedLocation() {
  const { history } = useRouter();
  const search = useRouterState({ select: (state) => state.location.searchStr });
  return {
    opened: parseLocation(search),
    open: (ref: LocationRef) => history.push(`${path}?type=${ref.type}&id=${ref.id}`, { openedFromList: true }),
    /** Back by history when the list is behind, so that the phone's back button does not open the location again. */
    close: () => {
      const isFromList = 'openedFromList' in history.location.state;
      if (isFromList) history.back();
      if (!isFromList) history.push(path);
    },
  };
}
