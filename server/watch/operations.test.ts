import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingNames } from '../env.ts';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

let test: TestApp;
let known: Set<string>;
beforeAll(async () => {
  test = await testApp(openTestEmbedded);
  const names = [...(await test.deps.watch.registry.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
  known = new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]));
});
afterAll(() => test.close());

const unknownMetrics = (expression: string): string[] =>
  (expression.match(/\b(?:milkrun|process)_[a-z_]+/g) ?? []).filter((name) => !known.has(name));

it('every alert asks for what the server measures, and says what to do', () => {
  const { groups } = parse(read('docs/operations/alerts.yml')) as {
    groups: {
      rules: { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> }[];
    }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(10);
  for (const { alert, expr, labels, annotations } of rules) {
    expect([alert, unknownMetrics(expr)]).toEqual([alert, []]);
    expect(['warning', 'critical']).toContain(labels.severity);
    expect(annotations.summary?.length).toBeGreaterThan(10);
    expect(annotations.description?.length).toBeGreaterThan(30);
  }
});

it('an alert that nothing happens is raised as well where nobody counts', () => {
  const { groups } = parse(read('docs/operations/alerts.yml')) as { groups: { rules: { expr: string }[] }[] };
  const silent = groups.flatMap(({ rules }) => rules).filter(({ expr }) => /^\(?sum.* == 0$/.test(expr));
  expect(silent.length).toBeGreaterThan(0);
  // A counter without a value is no series, and a sum of none is not 0 but nothing.
  for (const { expr } of silent) expect(expr).toContain('or vector(0)');
});

it('every panel of the dashboard draws what the server measures', () => {
  const { panels } = JSON.parse(read('docs/operations/grafana.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  expect(panels.length).toBeGreaterThan(10);
  for (const { title, targets } of panels) {
    expect([title, targets.flatMap(({ expr }) => unknownMetrics(expr))]).toEqual([title, []]);
    expect([title, targets.length > 0]).toEqual([title, true]);
  }
});

it('every setting stands in the example, and the example names no other', () => {
  const inExample = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect([...new Set(inExample)].sort()).toEqual([...settingNames].sort());
});

type Container = {
  securityContext: { readOnlyRootFilesystem: boolean; allowPrivilegeEscalation: boolean };
  env: { name: string; value: string }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
};
type Probe = { httpGet: { path: string } };
type Manifest = {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    template: {
      spec: {
        securityContext: { runAsNonRoot: boolean };
        terminationGracePeriodSeconds: number;
        containers: Container[];
      };
    };
  };
};

it('the Kubernetes manifests run without rights, with probes and settings that exist', () => {
  const folder = path.join(root, 'deploy/kubernetes');
  const manifests = readdirSync(folder).flatMap((file) =>
    parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => {
      expect([file, document.errors]).toEqual([file, []]);
      return document.toJS() as Manifest;
    }),
  );
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual(['milkrun-web', 'milkrun-worker']);
  for (const { spec } of deployments) {
    const { securityContext, containers, terminationGracePeriodSeconds } = spec.template.spec;
    expect(securityContext.runAsNonRoot).toBe(true);
    // The server takes up to ten seconds to finish what is under way.
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(15);
    for (const container of containers) {
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      });
      expect(container.livenessProbe.httpGet.path).toBe('/healthz');
      expect(container.startupProbe.httpGet.path).toBe('/readyz');
      expect(container.env.filter(({ name }) => !settingNames.includes(name))).toEqual([]);
    }
  }
  const settings = manifests.flatMap(({ kind, data }) => (kind === 'ConfigMap' ? Object.keys(data ?? {}) : []));
  expect(settings.filter((name) => !settingNames.includes(name))).toEqual([]);
});

it('a balancer goes on sending calls while none is ready: only the server can say why, and what still works', () => {
  const [web] = parseAllDocuments(read('deploy/kubernetes/web.yml')).map((document) => document.toJS() as Manifest);
  expect(web?.spec.template.spec.containers.map(({ readinessProbe }) => readinessProbe.httpGet.path)).toEqual([
    '/healthz',
  ]);
  expect(read('deploy/Caddyfile')).toMatch(/^\s*health_uri \/healthz$/m);
});

it('the proxy gives up an idle connection before the server does', () => {
  const seconds = /^\s*keepalive (\d+)s$/m.exec(read('deploy/Caddyfile'))?.[1];
  expect(Number(seconds) * 1000).toBeLessThan(test.app.server.keepAliveTimeout);
});

it('every process of the Kubernetes manifests is scraped', () => {
  for (const file of ['web.yml', 'worker.yml'])
    expect([file, read(`deploy/kubernetes/${file}`)]).toEqual([
      file,
      expect.stringContaining("prometheus.io/scrape: 'true'"),
    ]);
});

it('the image is built from what is under version control, without data and secrets', () => {
  const left = read('.dockerignore').split('\n');
  for (const name of ['node_modules', 'dist', 'data', 'deploy/.env', '.git']) expect(left).toContain(name);
});

it('the compose file runs without rights on a read-only root, with settings that exist', () => {
  const { services } = parse(read('deploy/compose.yml'), { merge: true }) as {
    services: Record<
      string,
      { user: string; read_only: boolean; cap_drop: string[]; environment: Record<string, string> }
    >;
  };
  for (const name of ['web', 'worker']) {
    const service = services[name];
    expect(service).toMatchObject({ user: '1000:1000', read_only: true, cap_drop: ['ALL'] });
    expect(service?.environment.MILKRUN_ROLE).toBe(name);
    expect(Object.keys(service?.environment ?? {}).filter((key) => !settingNames.includes(key))).toEqual([]);
  }
});

it('the image can back up the database of the compose file before a migration', () => {
  const client = /postgresql-client-(\d+)/.exec(read('deploy/Containerfile'))?.[1];
  const database = /library\/postgres:(\d+)/.exec(read('deploy/compose.yml'))?.[1];
  expect(Number(client)).toBeGreaterThanOrEqual(Number(database));
});

it('the image carries the licence', () => {
  expect(read('deploy/Containerfile')).toMatch(/^COPY --from=build .*\/LICENSE /m);
});

it('the image and the unit start what the build makes, as nobody in particular', () => {
  const image = read('deploy/Containerfile');
  expect(image.split('\n').filter((line) => line.startsWith('USER'))).toEqual(['USER 1000:1000']);
  const unit = read('deploy/milkrun.service');
  expect(unit).toMatch(/^User=milkrun$/m);
  expect(unit).toMatch(/^ProtectSystem=strict$/m);
  for (const file of [image, unit]) expect(file).toContain('dist/server/main.js');
  const set = [...`${image}\n${unit}`.matchAll(/\b((?:MILKRUN|HOST|PORT)[A-Z_]*)=/g)].map(([, name = '']) => name);
  expect(set.filter((name) => !settingNames.includes(name))).toEqual([]);
});
