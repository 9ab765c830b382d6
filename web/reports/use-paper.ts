import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { pageSizes } from './api.ts';
import type { Wish } from './wish.ts';

/** A report that is read in pages; for paper it is read anew with as many rows as a person may leaf through. */
export function usePaper<R>(useReport: (wish: Wish, limit: number) => UseQueryResult<R>, wish: Wish) {
  const [isPrinting, setPrinting] = useState(false);
  const query = useReport(wish, isPrinting ? pageSizes.paper : pageSizes.screen);
  const isThere = !query.isFetching;
  const { isSuccess } = query;
  useEffect(() => {
    if (!isPrinting || !isThere) return;
    if (isSuccess) window.print();
    setPrinting(false);
  }, [isPrinting, isThere, isSuccess]);
  return { query, print: () => setPrinting(true) };
}
