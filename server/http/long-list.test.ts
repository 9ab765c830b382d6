import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { AppError } from '../../domain/errors.ts';
import { handle, mount } from './handle.ts';

const list = endpoint({
  method: 'GET',
  path: '/list',
  summary: 'A list',
  needs: 'public',
  reply: z.array(z.object({ id: z.int() })),
});

let app: FastifyInstance;
afterEach(() => app.close());

async function serving(pieces: () => AsyncIterable<{ id: number; secret?: string }[]>): Promise<string> {
  app = Fastify();
  mount(app, [handle(list, pieces)], { recognise: async () => null });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/list`;
}

const pieceFrom = (first: number) => Array.from({ length: 3 }, (_, n) => ({ id: first + n, secret: 'x' }));

it.each([[0], [1], [2], [5]])('arrives whole in %i pieces, each row with what the reply names', async (count) => {
  const address = await serving(async function* () {
    for (let n = 0; n < count; n++) yield n === 3 ? [] : pieceFrom(3 * n);
  });
  const rows = await (await fetch(address)).json();
  const ids = Array.from({ length: 3 * count }, (_, id) => id).filter((id) => Math.floor(id / 3) !== 3);
  expect(rows).toEqual(ids.map((id) => ({ id })));
});

it('is refused as any call where its first pieces cannot be read', async () => {
  const address = await serving(async function* () {
    yield pieceFrom(0);
    throw new AppError('not-found', 'Gone.');
  });
  expect((await fetch(address)).ok).toBe(false);
});

it('breaks off where a later piece cannot be read, so that no part is taken for the whole', async () => {
  const address = await serving(async function* () {
    yield pieceFrom(0);
    yield pieceFrom(3);
    throw new Error('The database went away.');
  });
  const reply = await fetch(address);
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow();
});

it('reads no further when the caller hangs up', async () => {
  let ended = () => {};
  const stopped = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const address = await serving(async function* () {
    try {
      for (let n = 0; ; n += 3) yield pieceFrom(n);
    } finally {
      ended();
    }
  });
  const request = get(address);
  const [reply] = await once(request, 'response');
  await once(reply, 'data');
  request.destroy();
  await stopped;
});
