import type { FastifyReply } from 'fastify';

/** What an answer to a request that reached no route carries: the plugin that sets headers does not run there. */
export function setBareHeaders(reply: FastifyReply, publicUrl: string | null): void {
  reply.headers({
    'content-security-policy':
      "default-src 'none';object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  if (publicUrl?.startsWith('https:')) {
    reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
  }
}
