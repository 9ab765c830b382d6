import { describe, expect, it } from 'vitest';
import { OutboundError } from '../http/outbound/outbound.ts';
import { type Breaker, breakerOf } from './breaker.ts';
import { vendorCalls } from './vendor-fetch.ts';

const start = Date.parse('2026-03-12T15:00:00Z');

/** A partner by a clock of its own: waiting moves it, nothing takes time. */
function partner(answer: (call: number, init: { headers?: unknown } | undefined) => Response | Error) {
  const clock = { at: start };
  const waited: number[] = [];
  let called = 0;
  let breaker: Breaker = breakerOf({});
  const run = () =>
    vendorCalls(
      { system: 'nayax', label: 'The partner', signal: new AbortController().signal },
      {
        outbound: async (_url, init) => {
          called += 1;
          const reply = answer(called, init);
          if (reply instanceof Error) throw reply;
          return reply;
        },
        breaker,
        now: () => new Date(clock.at),
        random: () => 1,
        wait: async (ms) => {
          waited.push(ms);
          clock.at += ms;
        },
      },
    );
  return {
    clock,
    waited,
    run,
    called: () => called,
    /** As between two runs: only what is stored is known. */
    restart: () => {
      breaker = breakerOf(breaker.stored());
    },
    openUntil: () => breaker.openUntil(),
  };
}

const url = 'https://partner.example/v1';

describe('calls to a partner', () => {
  it('a passing failure is tried again with growing pauses, and the answer is the caller’s', async () => {
    const told = partner((call) => (call < 3 ? new Response('', { status: 503 }) : new Response('{"a":1}')));
    expect((await told.run().fetch(url)).json()).toEqual({ a: 1 });
    expect(told.waited).toEqual([500, 1000]);
  });

  it.each([
    ['nothing', [], false],
    ['a try that was turned away', [429], false],
    ['a try without an answer', [0], true],
    ['a try that broke', [502, 429], true],
  ])('after %s an answer says whether it is one to a repeat', async (_, before, isRepeat) => {
    const told = partner((call) => {
      const status = before[call - 1];
      return status === 0 ? new OutboundError('unreachable') : new Response('{}', { status: status ?? 200 });
    });
    expect((await told.run().fetch(url)).isRepeat).toBe(isRepeat);
  });

  it('every call says which program makes it, whichever connector asks', async () => {
    let sent: unknown;
    const told = partner((_call, init) => {
      sent = init?.headers;
      return new Response('{}');
    });
    await told.run().fetch(url, { headers: { accept: 'application/json' } });
    expect(sent).toEqual({ 'user-agent': 'Milkrun (self-hosted)', accept: 'application/json' });
  });

  it.each([400, 401, 403, 404, 422])('status %i is an answer, not a reason to try again', async (status) => {
    const told = partner(() => new Response('no', { status }));
    expect((await told.run().fetch(url)).status).toBe(status);
    expect(told.called()).toBe(1);
  });

  it.each([
    ['seconds', '7'],
    ['a date', new Date(start + 7_000).toUTCString()],
  ])('Retry-After as %s is obeyed', async (_, value) => {
    const told = partner((call) =>
      call === 1 ? new Response('', { status: 429, headers: { 'retry-after': value } }) : new Response('ok'),
    );
    await told.run().fetch(url);
    expect(told.waited).toEqual([7_000]);
  });

  it('asked to wait for longer than five minutes, the run ends and says when to come back', async () => {
    const told = partner(() => new Response('', { status: 429, headers: { 'retry-after': '900' } }));
    const calls = told.run();
    await expect(calls.fetch(url)).rejects.toMatchObject({ kind: 'rate-limit' });
    expect(calls.comeBackAt()).toEqual(new Date(start + 900_000));
    expect(told.called()).toBe(1);
  });

  it('what was asked and waited for is not asked any more, whatever comes after it', async () => {
    const told = partner((call) =>
      call === 1
        ? new Response('', { status: 429, headers: { 'retry-after': '7' } })
        : new OutboundError('unreachable'),
    );
    const calls = told.run();
    await expect(calls.fetch(url)).rejects.toMatchObject({ kind: 'down' });
    expect(calls.asked()).toBeNull();
  });

  it('with few calls left they are spread over the window, so that none is refused', async () => {
    const left = (remaining: string, reset?: string) =>
      new Response('ok', {
        headers: {
          ...{ 'x-ratelimit-limit': '350', 'x-ratelimit-remaining': remaining },
          ...(reset ? { 'x-ratelimit-reset': reset } : {}),
        },
      });
    const replies = [left('35'), left('34'), left('9', '60'), left('0', String(start / 1000 + 20)), left('300')];
    const told = partner((call) => replies[call - 1] ?? new Response('ok'));
    const calls = told.run();
    for (let call = 0; call < 6; call += 1) await calls.fetch(url);
    // 35 of 350 is enough yet; two paces of 300 s / 350; a tenth of a minute; the rest of what is left.
    expect(told.waited).toEqual([1_714, 6_000, 12_286]);
  });

  it('an address that may not be called is not tried twice, and no reason leaks', async () => {
    const told = partner(() => new OutboundError('refused'));
    await expect(told.run().fetch(url)).rejects.toMatchObject({ kind: 'address' });
    expect(told.called()).toBe(1);
  });

  it('HTML where JSON was promised is bad data', async () => {
    const told = partner(() => new Response('<html>'));
    const reply = await told.run().fetch(url);
    expect(() => reply.json()).toThrow('The partner sent an answer that cannot be read.');
  });

  it('never more than two calls at once', async () => {
    let open = 0;
    let most = 0;
    const calls = vendorCalls(
      { system: 'nayax', label: 'The partner', signal: new AbortController().signal },
      {
        outbound: async () => {
          open += 1;
          most = Math.max(most, open);
          await Promise.resolve();
          open -= 1;
          return new Response('ok');
        },
        breaker: breakerOf({}),
        now: () => new Date(start),
        random: () => 0,
        wait: async () => {},
      },
    );
    await Promise.all(Array.from({ length: 10 }, () => calls.fetch(url)));
    expect(most).toBe(2);
  });

  it('a call that is tried again goes before those that were never tried', async () => {
    const order: string[] = [];
    const open: (() => void)[] = [];
    let isFirst = true;
    const calls = vendorCalls(
      { system: 'nayax', label: 'The partner', signal: new AbortController().signal },
      {
        outbound: async (address) => {
          order.push(String(address).slice(url.length + 1));
          if (isFirst) {
            isFirst = false;
            return new Response('', { status: 503 });
          }
          await new Promise<void>((resolve) => open.push(resolve));
          return new Response('ok');
        },
        breaker: breakerOf({}),
        now: () => new Date(start),
        random: () => 0,
        wait: async () => {},
      },
    );
    const all = Promise.all(['1', '2', '3', '4', '5'].map((name) => calls.fetch(`${url}/${name}`)));
    for (let answered = 0; answered < 5; answered += 1) {
      await expect.poll(() => open.length).toBeGreaterThan(0);
      open.shift()?.();
    }
    await all;
    expect(order).toEqual(['1', '2', '3', '1', '4', '5']);
  });

  it('a partner that does not answer is told with the address that was called', async () => {
    const told = partner(() => new OutboundError('timeout'));
    const message = expect.stringMatching(
      `does not answer at ${new URL(url).host}\\. It is tried again by itself; if it stays so, check the address\\.$`,
    );
    await expect(told.run().fetch(url)).rejects.toMatchObject({ kind: 'down', message });
  });

  it('a dead partner is called at most 20 times in an hour, also across runs, and at once when it is back', async () => {
    let isDead = true;
    const told = partner(() => (isDead ? new OutboundError('timeout') : new Response('ok')));
    while (told.clock.at < start + 3_600_000) {
      await expect(told.run().fetch(url)).rejects.toMatchObject({ kind: 'down' });
      told.restart();
      told.clock.at += 60_000;
    }
    expect(told.called()).toBeLessThanOrEqual(20);
    expect(told.called()).toBeGreaterThan(8);
    isDead = false;
    told.clock.at += 15 * 60_000;
    expect((await told.run().fetch(url)).status).toBe(200);
    expect(told.openUntil()).toBeNull();
  });
});
