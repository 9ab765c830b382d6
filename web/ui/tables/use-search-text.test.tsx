import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useSyncExternalStore } from 'react';
import { afterEach, expect, it } from 'vitest';
import { Router } from 'wouter';
import { AddressSearch } from './address-search.tsx';

/** An address bar that moves when it is told to: a busy browser shows a change late. */
class Address {
  search = '';
  readonly waiting: string[] = [];
  private readonly heard = new Set<() => void>();
  readonly useLocation = (): [string, (to: string) => void] => ['/', (to) => this.waiting.push(to)];
  readonly useSearch = (): string =>
    useSyncExternalStore(
      (changed) => {
        this.heard.add(changed);
        return () => this.heard.delete(changed);
      },
      () => this.search,
    );
  move(search: string): void {
    this.search = search;
    act(() => {
      for (const changed of this.heard) changed();
    });
  }
}

function open(address: Address): HTMLElement {
  render(
    <Router hook={address.useLocation} searchHook={address.useSearch}>
      <AddressSearch label="Search" placeholder="" />
    </Router>,
  );
  return screen.getByLabelText('Search');
}

afterEach(cleanup);

it('keeps the letters that are typed before the address shows the ones before them', async () => {
  const address = new Address();
  const box = open(address);
  fireEvent.change(box, { target: { value: 'co' } });
  await waitFor(() => expect(address.waiting).toEqual(['/?q=co']));
  fireEvent.change(box, { target: { value: 'cola' } });
  address.move('q=co');
  expect(box).toHaveProperty('value', 'cola');
  await waitFor(() => expect(address.waiting.at(-1)).toBe('/?q=cola'));
});

it('shows what a link or Back asks for, also what was typed here before', async () => {
  const address = new Address();
  const box = open(address);
  fireEvent.change(box, { target: { value: 'co' } });
  await waitFor(() => expect(address.waiting).toEqual(['/?q=co']));
  address.move('q=co');
  address.move('q=tea');
  expect(box).toHaveProperty('value', 'tea');
  address.move('q=co');
  expect(box).toHaveProperty('value', 'co');
});
