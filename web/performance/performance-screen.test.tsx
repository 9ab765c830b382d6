// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { PerformanceScreen } from './performance-screen.tsx';

const user = userEvent.setup();
type Replies = Record<string, unknown>;

const metrics = {
  ...{ totalDevices: 12_300, activeDevices: 11_000, todaysRoutes: 81, activeRoutes: 4, completedRoutes: 2 },
  ...{ routeCapacityUtilization: 81, transactionsPerSecond: 4.25, averageResponseTime: 38, dataProcessingRate: 120 },
  ...{ systemHealth: 'warning', recommendations: ['81 of 100 routes of today are taken.'], processes: 2 },
  measuredAt: '2026-01-05T10:00:00Z',
  origins: { averageResponseTime: 'Mean of all calls of the last 60 seconds.' },
};
const readiness = {
  ...{ score: 75, maxRecommendedDevices: null, readinessLevel: 'startup', origins: {} },
  criticalImprovements: ['Headroom: Not measured yet.'],
  checks: [{ name: 'Headroom', passed: false, points: 25, detail: 'Not measured yet.' }],
};
const report = {
  ...{ currentCapacity: 12_300, projectedCapacity: null, bottlenecks: [], optimizationSuggestions: [], origins: {} },
  databasePerformance: {
    queryResponseTime: 2.5,
    indexEfficiency: 99.1,
    connectionPoolStatus: '2 of 10 in use, 0 waiting',
  },
};
const capacity = (routes: number) => ({
  ...{ todaysRoutes: routes, currentUtilization: routes, remainingCapacity: 100 - routes, origins: {} },
});

let replies: Replies = {};
beforeEach(() => {
  replies = {
    'GET /api/performance/metrics': metrics,
    'GET /api/performance/enterprise-readiness': readiness,
    'GET /api/performance/scalability-report': report,
    'GET /api/performance/route-capacity': capacity(81),
    'GET /api/performance/history?span=hour': { minutesPerPoint: 1, points: [], origins: {} },
  };
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
    const reply = replies[`${method} ${path}`];
    if (reply instanceof Response) return reply;
    return Response.json(reply ?? { detail: 'There is no such call.' }, { status: reply ? 200 : 404 });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(role: 'admin' | 'route_manager' = 'admin'): void {
  const session = { person: { role } } as Session;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext.Provider value={session}>
        <PerformanceScreen />
      </SessionContext.Provider>
    </QueryClientProvider>,
  );
}

const point = (minute: string, responseMs: number | null) => ({
  ...{ at: `2026-01-05T10:${minute}:00Z`, callsPerSecond: 1, responseMs, transactionsPerSecond: 1, rowsPerSecond: 1 },
  ...{ queryMs: 1, eventLoopDelayMs: 1, memoryMb: 90 },
});

const figure = (label: string) => within(screen.getByText(label).closest('div') as HTMLElement);

test('shows the figures abbreviated, and the planned size where none was measured', async () => {
  open();
  expect(await screen.findByText('12.3K')).toBeDefined();
  expect(figure('Average response time').getByText('38 ms')).toBeDefined();
  for (const label of ['Total devices', 'Active devices', 'Current capacity']) {
    expect(figure(label).getByText('Machines and markets')).toBeDefined();
  }
  expect((await screen.findByText('Max recommended devices')).closest('div')?.textContent).toContain('50,000');
  expect(screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent)).toEqual([
    ...['Readiness Assessment', 'Daily Route Capacity', 'Real-Time Performance', 'Scalability Analysis'],
    ...['Optimization Suggestions', 'History', 'What Is Confirmed'],
  ]);
});

test('each card waits with five rows for what it will say', () => {
  open();
  expect(screen.getAllByRole('status', { name: 'Loading' }).map((rows) => rows.childElementCount)).toEqual([
    ...[5, 5, 5, 5, 5, 5, 5],
  ]);
});

test('asks for what its cards say of one minute together, and not again until it is told to', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked: string[] = [];
  const usual = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    asked.push(path);
    return usual(path, init);
  });
  const cards = ['metrics', 'enterprise-readiness', 'scalability-report'].map((name) => `/api/performance/${name}`);
  const askedOf = () => asked.filter((path) => cards.includes(path));
  try {
    open();
    await screen.findByText('12.3K');
    expect(askedOf()).toEqual(cards);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(askedOf()).toEqual(cards);
  } finally {
    vi.useRealTimers();
  }
});

test('says how a figure was measured, one click away', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'How this is measured: Average response time' }));
  expect(screen.getByText('Mean of all calls of the last 60 seconds.')).toBeDefined();
});

test('confirms nothing that the figures do not bear out', async () => {
  open();
  const devices = await screen.findByText(/how many it bears was not measured yet/);
  expect(within(devices.closest('li') as HTMLElement).getByText('Not confirmed')).toBeDefined();
  const answers = screen.getByText(/Answers took 38 ms/);
  expect(within(answers.closest('li') as HTMLElement).getByText('Confirmed')).toBeDefined();
});

test('writes how long answers took as the figure above it', async () => {
  replies['GET /api/performance/metrics'] = { ...metrics, averageResponseTime: 1_234 };
  open();
  const answers = await screen.findByText(/Answers took 1,234 ms/);
  expect(within(answers.closest('li') as HTMLElement).getByText('Not confirmed')).toBeDefined();
  expect(figure('Average response time').getByText('1,234 ms')).toBeDefined();
});

test('speaks of room for more devices only where it was measured', async () => {
  open();
  expect(
    await screen.findByText(/^How many machines and markets these servers bear was not measured yet/),
  ).toBeDefined();
  expect(screen.queryByText(/There is room for at least twice/)).toBeNull();
  cleanup();
  replies['GET /api/performance/scalability-report'] = { ...report, projectedCapacity: 50_000 };
  open();
  expect(await screen.findByText("There is room for at least twice today's machines and markets.")).toBeDefined();
});

test.each([
  [81, 1],
  [80, 0],
])('at %i routes of 100 it warns %i times', async (routes, warnings) => {
  replies['GET /api/performance/route-capacity'] = capacity(routes);
  open();
  await screen.findByText(`${routes}%`);
  expect(screen.queryAllByText(/Route capacity utilization is above 80%/)).toHaveLength(warnings);
});

test('optimising says so until the call returns, then lists what was done', async () => {
  let answer = (_: Response): void => {};
  const held = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  const usual = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => (init?.method === 'POST' ? held : usual(path, init)));
  open();
  await user.click(screen.getByRole('button', { name: 'Optimize for Enterprise' }));
  expect((await screen.findByRole('button', { name: 'Optimizing...' })).hasAttribute('disabled')).toBe(true);
  answer(Response.json({ implementedOptimizations: ['Statistics: taken anew.'], seconds: 1 }));
  expect(await screen.findByText('Statistics: taken anew.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Optimize for Enterprise' })).toBeDefined();
});

test('a failure is a toast with its message', async () => {
  replies['POST /api/performance/optimize-enterprise'] = Response.json(
    { detail: 'The optimisation is already running.' },
    { status: 409 },
  );
  open();
  await user.click(screen.getByRole('button', { name: 'Optimize for Enterprise' }));
  await vi.waitFor(() =>
    expect(toastStore.get()[0]).toMatchObject({
      title: 'Optimization Failed',
      description: 'The optimisation is already running.',
    }),
  );
});

test('only an administrator may optimise', () => {
  open('route_manager');
  expect(screen.getByRole('button', { name: 'Optimize for Enterprise' }).hasAttribute('disabled')).toBe(true);
});

test('minutes in which nothing was measured are a gap on the axis of time, and said so in the table', async () => {
  const points = [point('00', 20), point('01', 30), point('05', 40)];
  replies['GET /api/performance/history?span=hour'] = {
    ...{ minutesPerPoint: 1, points },
    origins: { responseMs: 'Mean of the calls of each step.' },
  };
  open();
  const chart = within(await screen.findByRole('region', { name: 'Response time' }));
  expect(chart.getAllByRole('row').map((row) => row.lastElementChild?.textContent)).toEqual([
    ...['Response time', '20 ms', '30 ms', 'Not measured', 'Not measured', 'Not measured', '40 ms'],
  ]);
  expect(chart.getByRole('img').querySelectorAll('polyline')).toHaveLength(2);
  await user.click(chart.getByRole('button', { name: 'How this is measured: Response time, over time' }));
  expect(await screen.findByText('Mean of the calls of each step.')).toBeTruthy();
});

test('a figure of which nothing was measured says so instead of an empty chart', async () => {
  const points = [point('00', null), point('01', null)];
  replies['GET /api/performance/history?span=hour'] = { minutesPerPoint: 1, points, origins: {} };
  open();
  const chart = within(await screen.findByRole('region', { name: 'Response time' }));
  expect(chart.getByText('Nothing happened in this time that could be measured.')).toBeDefined();
  expect(chart.queryByRole('img')).toBeNull();
  expect(within(screen.getByRole('region', { name: 'Memory of the process' })).getByRole('img')).toBeDefined();
});

test('a week of which there is one point does not promise its charts in a minute', async () => {
  replies['GET /api/performance/history?span=week'] = { minutesPerPoint: 120, points: [], origins: {} };
  open();
  expect(await screen.findByText('The charts begin in a few minutes')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Week' }));
  expect(await screen.findByText(/^A point is the mean of 2 hours here/)).toBeDefined();
  expect(screen.queryByText('The charts begin in a few minutes')).toBeNull();
});

test('where the figures did not load, no card waits for them for good', async () => {
  replies['GET /api/performance/metrics'] = Response.json({ detail: 'It broke.' }, { status: 500 });
  open();
  expect(await screen.findByText('What Is Confirmed did not load')).toBeDefined();
});

test('one route and one machine are one', async () => {
  replies['GET /api/performance/metrics'] = { ...metrics, totalDevices: 1, todaysRoutes: 1 };
  open();
  expect(await screen.findByText('1 route today, of 100 that a day may hold.')).toBeDefined();
  expect(screen.getByText(/^This installation serves 1 machine or market; how many/)).toBeDefined();
});
