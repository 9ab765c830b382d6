import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { docsPage } from './docs/docs-page.ts';
import { inlineHashes } from './web-files.ts';

let test: TestApp;
beforeAll(async () => {
  test = await testApp(openTestEmbedded, { PUBLIC_URL: 'https://milkrun.example' });
  test.app.get('/broken', () => {
    throw new Error('select secret from somewhere');
  });
});
afterAll(() => test.close());

/** Directives of a policy by name. */
const directives = (policy: string): Record<string, string> =>
  Object.fromEntries(
    policy.split(';').map((part) => {
      const [name = '', ...sources] = part.trim().split(' ');
      return [name, sources.join(' ')];
    }),
  );

it.each([
  ['the page', '/login', 200],
  ['a call', '/api/auth/state', 200],
  ['a call without a session', '/api/markets', 401],
  ['an unknown call', '/api/nothing', 404],
  ['a file that is not there', '/assets/none.js', 404],
  ['a path that does not decode', '/%E0%A4%A', 400],
  ['a failure of ours', '/broken', 500],
  ['the page about calls', '/api/docs', 200],
])('%s carries every security header', async (_what, url, status) => {
  const reply = await test.app.inject({ url });
  expect(reply.statusCode).toBe(status);
  const { headers } = reply;
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  const policy = directives(String(headers['content-security-policy']));
  expect(policy).toMatchObject({
    'default-src': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'form-action': "'self'",
  });
  expect(headers['content-security-policy']).not.toMatch(/unsafe-inline|'unsafe-eval'|\*/);
});

it('a failure of ours tells nothing of itself but a number', async () => {
  const { body, headers } = await test.app.inject({ url: '/broken' });
  expect(body).not.toMatch(/select|somewhere|\.ts|node_modules/);
  expect(JSON.parse(body)).toMatchObject({ code: 'internal', requestId: expect.any(String) });
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
});

it('the style of the page about calls is among those allowed', async () => {
  const { headers } = await test.app.inject({ url: '/api/docs' });
  const [hash = 'none'] = inlineHashes('style', docsPage([]));
  expect(directives(String(headers['content-security-policy']))['style-src']).toContain(hash);
});

it.each(['{"__proto__": {"role": "admin"}}', '{"constructor": {"prototype": {"role": "admin"}}}'])(
  'a body that reaches for the prototype is refused: %s',
  async (payload) => {
    const { id } = await buildUser(test.deps.db, { role: 'admin' });
    const person = await test.as(id);
    const headers = { 'content-type': 'application/json', cookie: person.cookie };
    const reply = await test.app.inject({ method: 'PUT', url: '/api/settings/security', payload, headers });
    expect(reply.statusCode).toBe(400);
    expect(({} as Record<string, unknown>).role).toBeUndefined();
  },
);

it.each([
  [{ origin: 'https://evil.example' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ origin: 'null' }, 403],
  [{ origin: 'https://milkrun.example', 'sec-fetch-site': 'same-origin' }, 401],
])('a write with %j answers %i', async (headers, status) => {
  const reply = await test.app.inject({ method: 'POST', url: '/api/auth/sign-out', payload: {}, headers });
  expect(reply.statusCode).toBe(status);
});

it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'what a form can post is refused: %s',
  async (type) => {
    const headers = { 'content-type': type };
    const reply = await test.app.inject({ method: 'POST', url: '/api/auth/sign-out', payload: 'a=b', headers });
    expect(reply.statusCode).toBe(415);
  },
);
