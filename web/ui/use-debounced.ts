import { useEffect, useState } from 'react';

const settleMs = 50;

/** A value once it has stopped changing. */
export function useDebounced<V>(value: V): V {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
