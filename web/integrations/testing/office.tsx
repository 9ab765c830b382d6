import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import type { Session } from '../../../contract/auth.ts';
import type { IntegrationConfig } from '../../../contract/integrations.ts';
import type { Role } from '../../../domain/permissions.ts';
import { SessionContext } from '../../auth/session-context.ts';
import { createQueryClient } from '../../http/query-client.ts';

type Sent = { method: string; path: string; query: URLSearchParams; body: unknown };
/** The answer to a call; what is undefined is answered with 404. */
export type Answer = (call: Sent) => unknown;

/** A server that a test writes: what was sent to it, and what it answers. A Response is given back as it is. */
export function office(answer: Answer): { sent: Sent[]; writes: () => Sent[] } {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, 'http://here');
    const call = { method, path: pathname, query: searchParams, body: body ? JSON.parse(String(body)) : null };
    sent.push(call);
    const told = await answer(call);
    if (told instanceof Response) return told.clone();
    return told === undefined ? refusal(404, 'Not there.') : Response.json(told);
  });
  return { sent, writes: () => sent.filter(({ method }) => method !== 'GET') };
}

export const refusal = (status: number, detail: string, fields: Record<string, string> = {}): Response =>
  Response.json({ status, detail, code: 'conflict', fields }, { status });

/** An answer that waits until the test gives it. */
export function heldAnswer(): { answer: Promise<Response>; give: (response: Response) => void } {
  let give: (response: Response) => void = () => {};
  const answer = new Promise<Response>((resolve) => {
    give = resolve;
  });
  return { answer, give };
}

export const pageOf = (rows: readonly unknown[]) => ({ rows, total: rows.length, from: 1, next: null, previous: null });

export function show(screen: ReactNode, role: Role = 'route_manager'): QueryClient {
  const person = { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role, roleLabel: '' };
  const operator = { name: 'Op', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi' as const, today: '2026-01-05' };
  const session: Session = {
    person: { ...person, routeDesignation: null },
    operator: { ...operator, isDemo: false },
    map: { styleUrl: null },
    expiresAt: '2030-01-01T00:00:00.000Z',
  };
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <SessionContext value={session}>{screen}</SessionContext>
    </QueryClientProvider>,
  );
  return client;
}

export const buildConfig = (fields: Partial<IntegrationConfig> = {}): IntegrationConfig => ({
  id: 1,
  system: 'nayax',
  name: 'North',
  settings: { merchantId: '2000', environment: 'sandbox' },
  secrets: { hashCode: { configured: true, ending: 'ab' } },
  previousSecretsUntil: null,
  isActive: true,
  connected: true,
  syncEnabled: true,
  status: 'active',
  problem: null,
  waitsUntil: null,
  webhookPath: null,
  rejectedDeliveries: 0,
  lastRejectedReason: null,
  lastRejectedAt: null,
  lastSyncAt: '2026-01-05T10:00:00.000Z',
  fresh: [],
  nextSync: { when: 'now', at: null },
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-01T10:00:00.000Z',
  version: 3,
  ...fields,
});

export const nayaxSystem = {
  system: 'nayax',
  label: 'Nayax Core',
  basis: 'Read from the published operational API.',
  fields: [
    { name: 'merchantId', label: 'Merchant ID', kind: 'text', required: 'Merchant ID is required' },
    { name: 'hashCode', label: 'Hash code', kind: 'secret', required: 'Hash code is required' },
    {
      name: 'environment',
      label: 'Environment',
      kind: 'choice',
      initial: 'sandbox',
      options: [
        { value: 'sandbox', label: 'Sandbox' },
        { value: 'production', label: 'Production' },
      ],
    },
    { name: 'apiEndpoint', label: 'API endpoint', kind: 'url' },
  ],
  resources: ['devices', 'sales', 'alerts'],
  backfills: false,
  hasWebhooks: true,
  joinsBySignIn: false,
};
