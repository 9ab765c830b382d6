import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';

/** Bodies that a browser sends to another site only after asking it: what a form can send is not among them. */
const askedFirst = /^(?:application\/(?:json|octet-stream)|image\/(?:jpeg|png|webp))\b/i;

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Partners prove who they are with the message itself: no cookie counts there, so no page can misuse one. */
const partnerPaths = /^\/(?:vdi|api\/webhooks\/[^?]*)(?:[?]|$)/;

/**
 * Refuses what another site's page could make a browser send: a write whose Origin or Sec-Fetch-Site is foreign, and a
 * body that is not JSON (a form needs no permission of ours to be posted).
 */
export function refuseForeignWrites(request: FastifyRequest, publicUrl: string | null): void {
  if (safe.has(request.method) || partnerPaths.test(request.url)) return;
  const type = request.headers['content-type'];
  if (type !== undefined && !askedFirst.test(type)) {
    throw new AppError('unsupported-media', 'Send the body as application/json.');
  }
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const foreignOrigin = origin !== undefined && !isOwn(origin, request, publicUrl);
  if (!foreignSite && !foreignOrigin) return;
  const hint = publicUrl ? '' : ' If this is your own address, set PUBLIC_URL to it.';
  throw new AppError('not-allowed', `This request came from another site and was refused.${hint}`);
}

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

function isOwn(origin: string, request: FastifyRequest, publicUrl: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (publicUrl && from.origin === new URL(publicUrl).origin) return true;
  // A name may be made to point at this machine by anybody; an address or 'localhost' may not.
  return from.host === request.host && (isIP(from.hostname.replace(/^\[|\]$/g, '')) !== 0 || isLocal(from.hostname));
}
