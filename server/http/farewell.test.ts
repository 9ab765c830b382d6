import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { closeKindly, noteConnections } from './farewell.ts';

it('does not wait for a connection that never asked, and waits for what is under way', async () => {
  const app = fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  noteConnections(app);
  let answer = (): void => {};
  const asked = new Promise<void>((heard) => {
    app.get('/slow', () => {
      heard();
      return new Promise<string>((resolve) => {
        answer = () => resolve('answered');
      });
    });
  });
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const silent = connect(Number(address.port), address.hostname);
  await once(silent, 'connect');
  const reply = fetch(new URL('/slow', address)).then((one) => one.text());
  await asked;
  const closed = closeKindly(app);
  await once(silent, 'close');
  answer();
  expect(await reply).toBe('answered');
  await closed;
});
