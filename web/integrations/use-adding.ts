import { useState } from 'react';
import { useMay } from '../auth/api.ts';
import { useAddress } from '../ui/address/use-address.ts';

/** Whether the form of a new configuration is open: by its button, or because whoever led here asked for it. */
export function useAdding(): [isAdding: boolean, setAdding: (open: boolean) => void] {
  const { get, set } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const isAsked = get('connect') !== null;
  const mayWrite = useMay('office:write');
  const setAdding = (open: boolean): void => {
    setOpen(open);
    if (!open && isAsked) set({ connect: null });
  };
  return [mayWrite && (isOpen || isAsked), setAdding];
}
