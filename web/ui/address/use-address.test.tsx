import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useAddress } from './use-address.ts';

afterEach(() => {
  cleanup();
  window.history.replaceState(null, '', '/');
});

it('turning to a page is a step of the history, narrowing a list is none', () => {
  const { result } = renderHook(() => useAddress());
  const before = window.history.length;
  act(() => result.current.set({ q: 'cola', page: null }));
  expect(window.history.length).toBe(before);
  act(() => result.current.set({ page: 'second' }));
  expect(window.history.length).toBe(before + 1);
  expect([result.current.get('q'), result.current.get('page')]).toEqual(['cola', 'second']);
});

it('what is set after a wait changes nothing where another screen is open by then', () => {
  window.history.replaceState(null, '', '/markets?q=cola');
  const { result } = renderHook(() => useAddress());
  const { set } = result.current;
  act(() => window.history.pushState(null, '', '/products?q=chips'));
  act(() => set({ q: null }));
  expect(window.location.pathname + window.location.search).toBe('/products?q=chips');
  act(() => window.history.pushState(null, '', '/markets?q=nuts'));
  act(() => set({ q: null }));
  expect(window.location.pathname + window.location.search).toBe('/markets');
});
