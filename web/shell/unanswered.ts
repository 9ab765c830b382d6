import { CancelledError, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sentenceOf } from '../http/client.ts';
import { askAgainMs } from '../http/query-client.ts';

/** A restart of the database is over sooner: nothing is said of what nobody notices. */
const failingMs = 2_000;
/** Without any answer it may only be a long one on a slow line. */
const silentMs = 4_000;

const silence = 'No answer from the server yet. Still waiting for it.';

/** What happened, without what its reader would have to do: that is done by itself here. */
const whatHappened = (error: unknown): string => /^.*?[.!?](?=\s|$)/.exec(sentenceOf(error))?.[0] ?? '';
const andNow = 'Milkrun keeps trying: what is missing comes by itself.';
const failing = (error: unknown): string => `${whatHappened(error)} ${andNow}`;
const inPart = `Part of this screen has no answer yet. ${andNow}`;

type Waiting = { at: number; words: string };

/**
 * Tells in words what the screen waits for in vain: reads that failed and are asked again, and first reads without any
 * answer. One answer to anything shows that the server is well again: what has given up by then says so in its place.
 */
export function watchUnanswered(client: QueryClient, tell: (words: string | null) => void): () => void {
  const cache = client.getQueryCache();
  const failed = new Map<Query, Waiting>();
  const silent = new Map<Query, Waiting>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const oldestOf = (waiting: Map<Query, Waiting>, patienceMs: number): Waiting | null => {
    const [first] = [...waiting.values()].toSorted((a, b) => a.at - b.at);
    return first ? { ...first, at: first.at + patienceMs } : null;
  };
  const say = (): void => {
    clearTimeout(timer);
    const next = oldestOf(failed, failingMs) ?? oldestOf(silent, silentMs);
    const leftMs = next ? next.at - Date.now() : 0;
    tell(next && leftMs <= 0 ? next.words : null);
    if (leftMs > 0) timer = setTimeout(say, leftMs);
  };
  const forget = (query: Query): void => {
    failed.delete(query);
    silent.delete(query);
  };
  const fail = (query: Query, error: unknown): void => {
    if (error instanceof CancelledError || query.meta?.isDoneWithout) return;
    const { at } = failed.get(query) ?? silent.get(query) ?? { at: Date.now() };
    silent.delete(query);
    if (askAgainMs(error) === null) failed.delete(query);
    else failed.set(query, { at, words: failing(error) });
  };
  const wait = (query: Query): void => {
    const isFirst = query.state.data === undefined && query.state.fetchStatus === 'fetching';
    if (isFirst && query.isActive() && !silent.has(query) && !query.meta?.isDoneWithout)
      silent.set(query, { at: Date.now(), words: silence });
  };
  const answered = (query: Query): void => {
    forget(query);
    silent.clear();
    for (const [other, { at }] of failed) {
      // Asked again at its own time, which is said in the server's answer: a moment later than this.
      if (other.state.fetchStatus === 'fetching') failed.set(other, { at, words: inPart });
      else failed.delete(other);
    }
  };

  for (const query of cache.getAll()) {
    if (query.isActive() && query.state.fetchFailureReason) fail(query, query.state.fetchFailureReason);
    else wait(query);
  }
  say();
  const stop = cache.subscribe((event) => {
    const { query } = event;
    if (event.type === 'updated') {
      const { action } = event;
      if (action.type === 'success' && !action.manual) answered(query);
      else if ((action.type === 'failed' || action.type === 'error') && query.isActive()) fail(query, action.error);
      else if (action.type === 'fetch') wait(query);
      else return;
    } else if (event.type === 'observerAdded') wait(query);
    else if (event.type === 'removed' || (event.type === 'observerRemoved' && !query.isActive())) forget(query);
    else return;
    say();
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** The words for it; null while everything is answered. */
export function useUnanswered(): string | null {
  const client = useQueryClient();
  const [words, setWords] = useState<string | null>(null);
  useEffect(() => watchUnanswered(client, setWords), [client]);
  return words;
}
