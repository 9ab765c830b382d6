import { expect, it } from 'vitest';
import { EnvError, parseEnv } from './env.ts';

const wrong: [string, string, string][] = [
  ['PORT', 'abc', '0 to 65535'],
  ['PORT', '70000', '0 to 65535'],
  ['PORT', '-1', '0 to 65535'],
  ['PORT', '80.5', '0 to 65535'],
  ['PORT', ' ', '0 to 65535'],
  ['PUBLIC_URL', 'milkrun.example', 'http:// or https://'],
  ['DATABASE_URL', 'mysql://root@localhost/db', 'postgres://user:password@host:5432/database'],
  ['DATABASE_URL', 'postgres:db', 'postgres://user:password@host:5432/database'],
  ['DATABASE_DIRECT_URL', 'localhost', 'postgres://user:password@host:5432/database'],
  ['DATABASE_ADMIN_URL', 'localhost', 'postgres://user:password@host:5432/database'],
  ['DATABASE_REPLICA_URL', 'localhost', 'postgres://user:password@host:5432/database'],
  ['MILKRUN_DEMO', 'yes', '0 or 1'],
  ['MILKRUN_SECRET_KEY', 'short', 'at least 32 characters'],
  ['SMTP_URL', 'http://mail', 'smtp://'],
  ['SMS_GATEWAY_URL', 'ftp://sms', 'http:// or https://'],
  ['MAP_STYLE_URL', 'style.json', 'http:// or https://'],
  ['TRUST_PROXY', 'true', 'loopback'],
  ['TRUST_PROXY', '10.0.0.0/99', 'loopback'],
  ['LEDGER_MONTHS', '3', '0 (keep everything) or a whole number of months from 14 on'],
  ['LOG_LEVEL', 'loud', 'trace, debug, info, warn, error, fatal, silent'],
];

it.each(wrong)('refuses %s=%s by name and says what is accepted', (name, value, accepted) => {
  const start = () => parseEnv({ [name]: value });
  expect(start).toThrow(EnvError);
  expect(start).toThrow(name);
  expect(start).toThrow(accepted);
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
