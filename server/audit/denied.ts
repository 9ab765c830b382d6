import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { recordAudit } from './service.ts';

/** The same refusal of the same person is noted once in this time: a log that anybody can flood tells nothing. */
const onceInMs = 60_000;
const mostRemembered = 10_000;

const longestPath = 300;

/** Which object was asked for; what follows a question mark may hold what somebody typed, and stays out of the log. */
const pathOf = (url: string): string => (url.split('?', 1)[0] ?? '').slice(0, longestPath);

/** Notes each call that was refused to a signed-in person because they may not make it. */
export function noteDenied(
  app: FastifyInstance,
  deps: Deps,
  callerOf: (request: FastifyRequest) => Caller | null,
): void {
  const noted = new Map<string, number>();
  const isNew = (key: string): boolean => {
    const nowMs = deps.clock.now().getTime();
    const before = noted.get(key);
    if (before !== undefined && nowMs - before < onceInMs && nowMs >= before) return false;
    if (noted.size >= mostRemembered) noted.clear();
    noted.set(key, nowMs);
    return true;
  };
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode !== 403) return;
    const caller = callerOf(request);
    if (!caller || !isNew(`${caller.userId} ${request.method} ${request.routeOptions.url ?? 'unknown'}`)) return;
    const detail = { call: `${request.method} ${pathOf(request.url)}`, role: caller.role };
    const entry = { action: 'access.denied', objectType: 'call', detail };
    await recordAudit(deps.db, caller, entry).catch((error: unknown) => request.log.error({ err: error }, 'audit'));
  });
}
