import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
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

it('cuts off what takes too long, such as a download that its caller takes its time for', async () => {
  const app = fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  noteConnections(app);
  app.get('/file', (_request, reply) => {
    const endless = new Readable({ read: () => {} });
    endless.push('the beginning');
    return reply.header('content-length', 1_000_000_000_000).send(endless);
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const reader = (await fetch(`${address}/file`)).body?.getReader();
  expect((await reader?.read())?.value?.length).toBe(13);
  await closeKindly(app, 0);
  await expect(reader?.read()).rejects.toThrow();
});
