import fastify from 'fastify';
import { expect, it } from 'vitest';
import { unkeepableText } from '../../domain/plain-text.ts';
import { replyWithError } from './error-reply.ts';

/** What the driver throws, wrapped as the query builder wraps it. */
async function replyTo(code: string, message = 'from the database') {
  const app = fastify();
  app.setErrorHandler(replyWithError);
  app.get('/', async () => {
    throw new Error('Failed query', { cause: Object.assign(new Error(message), code ? { code } : {}) });
  });
  const reply = await app.inject('/');
  await app.close();
  return { status: reply.statusCode, retry: reply.headers['retry-after'], code: reply.json().code };
}

it.each(['40P01', '40001'])('asks to try again after %s, where two changed the same at once', async (code) => {
  expect(await replyTo(code)).toEqual({ status: 503, retry: '1', code: 'unavailable' });
});

const away = ['25006', '57P01', '57P03', '53300', '53100', 'ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
it.each(away)('says that the database is away for %s', async (code) => {
  expect(await replyTo(code)).toEqual({ status: 503, retry: '2', code: 'unavailable' });
});

it('knows a lost connection that has no code, and takes nothing else for one', async () => {
  expect(await replyTo('', 'Connection terminated unexpectedly')).toMatchObject({ status: 503 });
  expect(await replyTo('42703')).toMatchObject({ status: 500, retry: undefined, code: 'internal' });
});

it('says at its field which text the database did not keep', async () => {
  const app = fastify();
  app.setErrorHandler(replyWithError);
  app.post('/', async () => {
    throw Object.assign(new Error('invalid byte sequence'), { code: '22021' });
  });
  const send = async (payload: object) => (await app.inject({ method: 'POST', url: '/', payload })).json();
  expect(await send({ note: 'a\u0000', name: 'fine', tags: ['\ud83e'] })).toMatchObject({
    detail: unkeepableText,
    fields: { note: unkeepableText, tags: unkeepableText },
  });
  expect((await send({ name: 'fine' })).fields).toBeUndefined();
  const asked = await app.inject({ method: 'POST', url: '/?route=%00&q=fine' });
  expect(asked.json().fields).toEqual({ route: unkeepableText });
  await app.close();
});
