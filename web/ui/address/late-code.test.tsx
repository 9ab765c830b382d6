// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentType, type ReactNode, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { lateDialog, latePage, latePart } from './late-code.tsx';

afterEach(cleanup);

/** Code that the network brings at the second try. */
function atTheSecondTry<P>(code: (props: P) => ReactNode) {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries === 1) throw new TypeError('Failed to fetch dynamically imported module');
    return code;
  };
}

function Stops({ Search }: { Search: ComponentType<{ onClose: () => void }> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p>Stops of today</p>
      <button type="button" onClick={() => setOpen(true)}>
        Find
      </button>
      {isOpen && <Search onClose={() => setOpen(false)} />}
    </>
  );
}

test('the screen stays when the code of a dialog cannot be fetched, and another try opens it', async () => {
  const user = userEvent.setup();
  const Search = lateDialog<{ onClose: () => void }>(
    'Search',
    atTheSecondTry(() => <p>All machines</p>),
  );
  render(<Stops Search={Search} />);
  await user.click(screen.getByRole('button', { name: 'Find' }));
  expect(await screen.findByRole('alert')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Search' })).toBeDefined();
  expect(screen.getByText('Stops of today')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('All machines')).toBeDefined();
  expect(screen.getByText('Stops of today')).toBeDefined();
});

test('a dialog that could not be fetched is closed, and fetched anew when it is opened again', async () => {
  const user = userEvent.setup();
  const Search = lateDialog<{ onClose: () => void }>(
    'Search',
    atTheSecondTry(() => <p>All machines</p>),
  );
  render(<Stops Search={Search} />);
  await user.click(screen.getByRole('button', { name: 'Find' }));
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('heading', { name: 'Search' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Find' }));
  expect(await screen.findByText('All machines')).toBeDefined();
});

test('a page whose code cannot be fetched says so and tries again', async () => {
  const user = userEvent.setup();
  const Page = latePage(atTheSecondTry(() => <h1>Sign in</h1>));
  await act(async () => render(<Page />));
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined();
});

test('a part of a page says that it waits, then that it cannot be had, and comes with another try', async () => {
  const user = userEvent.setup();
  const Drawn = latePart(
    atTheSecondTry(() => <p>The whole town</p>),
    <p>Loading the map</p>,
  );
  render(<Drawn />);
  expect(screen.getByText('Loading the map')).toBeDefined();
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('The whole town')).toBeDefined();
});

test('until the code of a page is there, what stands on the page before the app came stays', () => {
  const Page = latePage(() => new Promise<ComponentType>(() => {}));
  render(<Page />);
  expect(screen.getByRole('status', { name: 'Loading' }).hasAttribute('data-booting')).toBe(true);
});
