import { cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, test } from 'vitest';
import { withCodeLater } from './code-at-hand.tsx';

afterEach(cleanup);

const Screen = () => <h1>Here</h1>;
const waiting = <p>Waiting</p>;

test('a screen whose code is at hand is drawn without a waiting frame', async () => {
  const { component: Content, preload } = withCodeLater(async () => Screen);
  await preload();
  render(
    <Suspense fallback={waiting}>
      <Content />
    </Suspense>,
  );
  expect(screen.getByRole('heading', { name: 'Here' })).toBeTruthy();
  expect(screen.queryByText('Waiting')).toBeNull();
});

test('a screen whose code is on its way shows the waiting frame until then', async () => {
  let arrive = (_: typeof Screen): void => {};
  const { component: Content } = withCodeLater(
    () =>
      new Promise((resolve) => {
        arrive = resolve;
      }),
  );
  render(
    <Suspense fallback={waiting}>
      <Content />
    </Suspense>,
  );
  expect(screen.getByText('Waiting')).toBeTruthy();
  arrive(Screen);
  expect(await screen.findByRole('heading', { name: 'Here' })).toBeTruthy();
});
