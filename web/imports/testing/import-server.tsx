// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Session } from '../../../contract/auth.ts';
import type { ImportResult, ImportUpload, PastImport } from '../../../contract/imports.ts';
import { SessionContext } from '../../auth/session-context.ts';
import { createQueryClient } from '../../http/query-client.ts';
import { ImportScreen } from '../import-screen.tsx';

const user = userEvent.setup();

export const upload: ImportUpload = {
  id: 7,
  name: 'old.csv',
  kind: 'products',
  columns: [
    { name: 'Code', sameAs: null, samples: ['036000291452'], field: null },
    { name: 'What', sameAs: null, samples: [], field: null },
  ],
  fields: ['barcode', 'name', 'unitPrice'],
  needs: [['barcode', 'name']],
  remembered: false,
};
export const report: ImportResult = {
  ...{ kind: 'products', file: 'old.csv', dryRun: true, rows: 75, created: 12, updated: 1, unchanged: 0, repeated: 2 },
  refused: { total: 60, first: Array.from({ length: 50 }, (_, n) => ({ line: n + 2, reason: 'has no name' })) },
  flagged: [{ reason: 'no brand', count: 3, amount: null, lines: [4, 5, 6] }],
  notes: ['Line 1 stands above the header: left out.'],
  swapped: false,
  sales: null,
};

export const past: PastImport = {
  ...{ id: 4, kind: 'products', file: 'spring.csv', importedBy: 'Ann Lee', importedAt: '2026-03-01T09:00:00.000Z' },
  ...{
    rows: 9,
    created: 5,
    updated: 2,
    unchanged: 1,
    repeated: 0,
    refused: 1,
    undoneAt: null,
    undoneBy: null,
    canUndo: true,
  },
};

type Sent = { method: string; path: string; search: string; body: unknown };

/** What the server has, what it answers and what was sent to it, as a test writes it. */
export const server = {
  sent: [] as Sent[],
  refusal: null as string | null,
  refusedFields: undefined as Record<string, string> | undefined,
  outcome: report,
  offered: upload,
  undoRefusal: null as string | null,
  pastNow: past,
  /** Set: an import under way waits for it. */
  held: null as Promise<void> | null,
  ended: false,
  /** What is sent does not get through, or its answer does not. */
  isLost: false,
};

export const refused = (status: number, detail: string) =>
  Response.json({ detail, status, fields: server.refusedFields }, { status });

function answer(dryRun: boolean, signal: AbortSignal | null | undefined): Response {
  const line = (told: object) => new TextEncoder().encode(`${JSON.stringify(told)}\n`);
  const body = new ReadableStream({
    start: async (out) => {
      out.enqueue(line({ read: 75, done: 40 }));
      signal?.addEventListener('abort', () => {
        server.ended = true;
        out.error(new Error('aborted'));
      });
      await server.held;
      if (signal?.aborted) return;
      out.enqueue(line({ result: { ...server.outcome, dryRun } }));
      out.close();
    },
  });
  return new Response(body);
}

export function open(search = '', { findsAddresses = false } = {}) {
  window.history.replaceState(null, '', `/import${search}`);
  const session = {
    person: {
      id: 1,
      email: 'a@example.com',
      firstName: 'A',
      lastName: 'B',
      role: 'route_manager',
      routeDesignation: null,
    },
    operator: { name: 'Test', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', isDemo: false },
    map: { styleUrl: null, findsAddresses },
  } as unknown as Session;
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <ImportScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
}

export const choose = async (content = 'Code,What\n1,2\n') =>
  user.upload(screen.getByLabelText('Choose a file'), new File([content], 'old.csv', { type: 'text/csv' }));
export const button = (name: string | RegExp) => screen.getByRole('button', { name }) as HTMLButtonElement;
export const files = () => server.sent.filter(({ path }) => path === '/api/imports');
export const runs = () => server.sent.filter(({ path }) => path.endsWith('/watch')).map(({ body }) => body);

/** Each test begins with a server that takes the file and imports it. */
export function withImportServer(): void {
  beforeEach(() => {
    server.sent = [];
    server.refusal = null;
    server.refusedFields = undefined;
    server.outcome = report;
    server.offered = upload;
    server.undoRefusal = null;
    server.pastNow = past;
    server.held = null;
    server.ended = false;
    server.isLost = false;
    vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
      const { pathname: path, search } = new URL(input, 'http://localhost');
      const method = init.method ?? 'GET';
      const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
      server.sent.push({ method, path, search, body });
      if (server.isLost && method === 'POST') throw new TypeError('Failed to fetch');
      if (server.refusal && path.startsWith('/api/imports')) return refused(400, server.refusal);
      if (path.endsWith('/watch')) return answer(body.dryRun, init.signal);
      if (path.endsWith('/undo')) {
        if (server.undoRefusal) return refused(409, server.undoRefusal);
        server.pastNow = { ...server.pastNow, canUndo: false, undoneAt: '2026-03-02T09:00:00.000Z' };
        return Response.json(server.pastNow);
      }
      if (path === '/api/past-imports') return Response.json({ imports: [server.pastNow], more: false });
      if (method === 'DELETE') return Response.json({});
      const kind = new URLSearchParams(search).get('kind') ?? 'products';
      return Response.json({ ...server.offered, kind }, { status: method === 'POST' ? 201 : 200 });
    });
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
}
