// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import '../ui/testing.ts';
import { SessionContext } from '../auth/session-context.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { screens } from '../screens.tsx';
import { ScreenFrame } from './screen-frame.tsx';

afterEach(cleanup);

test('a screen that is refused has its name for a heading, as every screen has', () => {
  const session = buildSession(1);
  const reports = screens.find(({ path }) => path === '/reports');
  if (!reports) throw new Error('there is no such screen');
  render(
    <SessionContext value={{ ...session, person: { ...session.person, role: 'field_worker' } }}>
      <ScreenFrame screen={reports} />
    </SessionContext>,
  );
  expect(screen.getByRole('heading', { level: 1, name: 'Reports' })).toBeTruthy();
  expect(screen.getByText('Not for your role')).toBeTruthy();
});
