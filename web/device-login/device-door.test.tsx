// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { heldAnswer, office, show } from '../integrations/testing/office.tsx';
import { noteIn } from '../offline/may-be-in.ts';
import { createOffline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import { FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { DeviceDoor } from './device-door.tsx';

afterEach(() => {
  cleanup();
  noteIn(false);
  vi.unstubAllGlobals();
});

function open(): (answer: Response) => void {
  const { answer, give } = heldAnswer();
  office(() => answer);
  const offline = createOffline(
    fakeEnvironment(new FakeClock(), async () => ({ outcome: 'unreachable' }), 'slow-door'),
  );
  show(
    <OfflineProvider offline={offline}>
      <DeviceDoor inside={() => <h1>Inside</h1>} />
    </OfflineProvider>,
  );
  return give;
}

test('while the server does not answer, the door of a device that nobody is signed in on stands there and loads', async () => {
  noteIn(false);
  const give = open();
  const main = within(screen.getByRole('main'));
  expect(main.getByRole('heading', { name: 'Device Login' })).toBeTruthy();
  expect(main.getByRole('status', { name: 'Loading' })).toBeTruthy();
  give(Response.json({ login: null, person: null, routeDesignations: [] }));
  expect(await main.findByLabelText('Pairing code')).toBeTruthy();
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull();
});

test('while the server does not answer, the frame of the page stays where somebody may be signed in', async () => {
  noteIn(true);
  const give = open();
  expect(screen.getByRole('status', { name: 'Loading' }).hasAttribute('data-booting')).toBe(true);
  const person = { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', mayPair: true };
  give(Response.json({ login: null, person, routeDesignations: ['101'] }));
  expect(await screen.findByRole('heading', { name: 'Inside' })).toBeTruthy();
  expect(document.querySelector('[data-booting]')).toBeNull();
});
