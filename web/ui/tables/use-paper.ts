import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { sentenceOf } from '../../http/client.ts';
import { toast } from '../toasts/toast.ts';

export type Paper = {
  /** Tables that are read in pages are wanted from their first row, with as many as a person may leaf through. */
  isWanted: boolean;
  print: () => void;
  done: () => void;
};

/** For a screen that has, or now and then has, a table that is read in pages: what its button and the browser's own keys print is the table, not the page in sight. */
export function usePaper({ hasTable }: { hasTable: boolean }): Paper {
  const [isWanted, setWanted] = useState(false);
  const print = useCallback(() => (hasTable ? setWanted(true) : window.print()), [hasTable]);
  const done = useCallback(() => setWanted(false), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      print();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [print]);
  return { isWanted, print, done };
}

/** Prints once the rows that are wanted for paper are there. */
export function usePrinting({ isWanted, done }: Paper, { isFetching, isSuccess, error }: UseQueryResult): void {
  useEffect(() => {
    if (!isWanted || isFetching) return;
    // Apart from this drawing: tables draw what is for paper alone when the browser begins to print.
    const timer = setTimeout(() => {
      if (isSuccess) window.print();
      else toast({ variant: 'destructive', title: 'Not printed', description: sentenceOf(error) });
      done();
    });
    return () => clearTimeout(timer);
  }, [isWanted, isFetching, isSuccess, error, done]);
}
