import { expect, it } from 'vitest';
import { EnvError, isOpenInClear, parseEnv, settingNames } from './env.ts';

const wrong: [string, string, string][] = [
  ['PORT', 'abc', '0 to 65535'],
  ['PORT', '70000', '0 to 65535'],
  ['PORT', '-1', '0 to 65535'],
  ['PORT', '80.5', '0 to 65535'],
  ['PORT', ' ', '0 to 65535'],
  ['PUBLIC_URL', 'milkrun.example', 'http:// or https://'],
  ['PUBLIC_URL', 'https://tools.example/milkrun', 'a host of its own'],
  ['CLAMAV_ADDRESS', 'scanner', 'a host and a port'],
  ['CLAMAV_ADDRESS', '127.0.0.1:99999', 'a host and a port'],
  ['TLS_CERT_FILE', '/etc/milkrun/cert.pem', 'TLS_KEY_FILE'],
  ['DATABASE_URL', 'mysql://root@localhost/db', 'postgres://user:password@host:5432/database'],
  ['DATABASE_URL', 'postgres:db', 'postgres://user:password@host:5432/database'],
  ['DATABASE_DIRECT_URL', 'localhost', 'postgres://user:password@host:5432/database'],
  ['DATABASE_ADMIN_URL', 'localhost', 'postgres://user:password@host:5432/database'],
  ['DATABASE_REPLICA_URL', 'localhost', 'postgres://user:password@host:5432/database'],
  ['MILKRUN_DEMO', 'yes', '0 or 1'],
  ['MILKRUN_SECRET_KEY', 'short', 'at least 32 characters'],
  ['SMTP_URL', 'http://mail', 'smtp://'],
  ['SMTP_URL', 'smtp://', 'smtp://user:password@host:587'],
  ['SMS_GATEWAY_URL', 'ftp://sms', 'http:// or https://'],
  ['MAP_STYLE_URL', 'style.json', 'http:// or https://'],
  ['TRUST_PROXY', 'true', 'loopback'],
  ['TRUST_PROXY', '10.0.0.0/99', 'loopback'],
  ['LEDGER_MONTHS', ' ', '0 (keep everything) or a whole number of months from 14 on'],
  ['LEDGER_MONTHS', '3', '0 (keep everything) or a whole number of months from 14 on'],
  ['MILKRUN_ROLE', 'boss', 'all, web or worker'],
  ['MILKRUN_FSYNC_OFF', 'yes', '0 or 1'],
  ['MILKRUN_SECRET_KEY_BEFORE', 'short', 'at least 32 characters'],
  ['GEOCODER_URL', 'nominatim', 'http:// or https://'],
  ['VALHALLA_URL', 'localhost:8002', 'http:// or https://'],
  ['OSRM_URL', 'localhost:5000', 'http:// or https://'],
  ['MILKRUN_SANDBOX_URL', 'localhost', 'http:// or https://'],
  ['COST_PER_HOUR', '-5', 'what an hour of driver and van costs'],
  ['METRICS_TOKEN', 'short', 'at least 16 characters'],
  ['SLOW_QUERY_MS', '0', 'milliseconds from 1 on'],
  ['MAX_IN_FLIGHT', 'many', 'a whole number from 4 on'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'http:// or https://'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'token', 'name=value,name=value'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'token=100%', 'percent-encoded'],
  ['LOG_LEVEL', 'loud', 'trace, debug, info, warn, error, fatal, silent'],
];

it.each(wrong)('refuses %s=%s by name and says what is accepted', (name, value, accepted) => {
  const start = () => parseEnv({ [name]: value });
  expect(start).toThrow(EnvError);
  expect(start).toThrow(name);
  expect(start).toThrow(accepted);
});

it('every setting that can be wrong was tried', () => {
  const anyText = ['HOST', 'TLS_KEY_FILE', 'MILKRUN_DATA', 'ROADS_DIR', 'OTEL_SERVICE_NAME'];
  const tried = new Set([...wrong.map(([name]) => name), ...anyText]);
  expect(settingNames.filter((name) => !tried.has(name))).toEqual([]);
});

it('knows where others can reach it without TLS', () => {
  const open = (env: Record<string, string>) => isOpenInClear(parseEnv(env));
  expect(open({ HOST: '0.0.0.0' })).toBe(true);
  expect(open({ HOST: '0.0.0.0', PUBLIC_URL: 'http://milkrun.example' })).toBe(true);
  expect(open({ HOST: '0.0.0.0', PUBLIC_URL: 'https://milkrun.example/' })).toBe(false);
  expect(open({})).toBe(false);
});

it('names every wrong setting at once', () => {
  expect(() => parseEnv({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT: .*LOG_LEVEL: /);
});

it('fills in what is absent or empty', () => {
  expect(parseEnv({ PORT: '', HOST: '' })).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    demo: true,
    costPerHour: 45,
    logLevel: 'info',
  });
  expect(parseEnv({ DATABASE_URL: 'postgres://a@b/c' })).toMatchObject({ demo: false });
  expect(parseEnv({ DATABASE_URL: 'postgres://a@b/c', MILKRUN_DEMO: '1' })).toMatchObject({ demo: true });
  expect(parseEnv({ TRUST_PROXY: 'loopback, 10.0.0.0/8, fd00::/8' }).trustProxy).toBe('loopback, 10.0.0.0/8, fd00::/8');
});
