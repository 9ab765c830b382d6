import { cleanup } from '@testing-library/react';
import { vi } from 'vitest';
import { dismissToast, toastStore } from '../../ui/toasts/toast.ts';
import { office } from './office.tsx';

/** What the server answers, by method and path with its query; a function is asked at each call. */
export type Replies = Record<string, unknown>;
export type Sent = { line: string; body: unknown };

/** A server that answers from a list; what was sent to it is kept, line by line. */
export function stubServer(replies: () => Replies): Sent[] {
  const sent: Sent[] = [];
  office(({ method, path, query, body }) => {
    const line = `${method} ${path}${query.size > 0 ? `?${query}` : ''}`;
    sent.push({ line, body });
    const told = replies()[line];
    return typeof told === 'function' ? told() : told;
  });
  return sent;
}

/** The message that a person sees now: its title and its sentence. */
export const message = (): string => {
  const shown = toastStore.get().find((one) => one.open);
  return shown ? `${shown.title}: ${shown.description ?? ''}` : '';
};

export function closeScreen(): void {
  for (const { id } of toastStore.get()) dismissToast(id);
  cleanup();
  window.history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
  sessionStorage.clear();
}
