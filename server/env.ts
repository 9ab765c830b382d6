import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { usualCostPerHour } from '../domain/need.ts';

const url = (protocols: string[], example: string) =>
  z.string().refine((text) => protocols.some((p) => text.startsWith(`${p}://`)) && URL.canParse(text), {
    error: `accepted: ${example}`,
  });

const postgresUrl = url(['postgres', 'postgresql'], 'postgres://user:password@host:5432/database');
const httpUrl = url(['http', 'https'], 'an address that starts with http:// or https://');
const flag = z.enum(['0', '1'], { error: 'accepted: 0 or 1' });

const portRange = { error: 'accepted: a port number from 0 to 65535' };

const proxies = z.string().refine(isProxyList, {
  error: 'accepted: loopback, linklocal, uniquelocal, or addresses and networks of the proxies separated by commas',
});

/** What Fastify's trustProxy takes as text; `true` is refused, because it would believe every caller. */
function isProxyList(text: string): boolean {
  return text.split(',').every((part) => {
    const [address = '', bits, ...more] = part.trim().split('/');
    if (['loopback', 'linklocal', 'uniquelocal'].includes(address)) return bits === undefined;
    const most = { 4: 32, 6: 128 }[isIP(address)];
    if (most === undefined || more.length > 0) return false;
    return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most);
  });
}

/** Values are percent-encoded, as the standard of the setting says. */
function areHeaders(text: string): boolean {
  try {
    return decodeURIComponent(text).includes('=');
  } catch {
    return false;
  }
}

const costRange = 'accepted: what an hour of driver and van costs, e.g. 45';

const addressRange = 'accepted: a host and a port, e.g. 127.0.0.1:3310';

const hostAndPort = z
  .string()
  .regex(/^[^\s:/]+:\d{1,5}$/, addressRange)
  .transform((text) => {
    const [host = '', port] = text.split(':');
    return { host, port: Number(port) };
  })
  .refine(({ port }) => port >= 1 && port <= 65_535, addressRange);

const slowRange = 'accepted: milliseconds from 1 on';
const monthsRange = 'accepted: 0 (keep everything) or a whole number of months from 14 on';
const flightRange = 'accepted: a whole number from 4 on';

const mailServer = 'smtp://user:password@host:587';

const schema = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, portRange)
    .transform(Number)
    .refine((n) => n <= 65_535, portRange)
    .default(3000),
  MILKRUN_ROLE: z.enum(['all', 'web', 'worker'], { error: 'accepted: all, web or worker' }).default('all'),
  HOST: z.string().min(1, 'accepted: an address to listen on, e.g. 127.0.0.1 or 0.0.0.0').default('127.0.0.1'),
  PUBLIC_URL: httpUrl
    .refine((text) => !URL.canParse(text) || ['', '/'].includes(new URL(text).pathname), {
      error: 'accepted: a host of its own, without a path: another application on the same host could read our cookies',
    })
    .optional(),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_ADMIN_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  MILKRUN_FSYNC_OFF: flag.default('0'),
  MILKRUN_DATA: z.string().min(1, 'accepted: a folder').default('./data'),
  MILKRUN_DEMO: flag.optional(),
  MILKRUN_SECRET_KEY: z.string().min(32, 'accepted: at least 32 characters').optional(),
  MILKRUN_SECRET_KEY_BEFORE: z.string().min(32, 'accepted: at least 32 characters').optional(),
  SMTP_URL: url(['smtp', 'smtps'], mailServer)
    .refine((text) => !URL.canParse(text) || new URL(text).hostname !== '', { error: `accepted: ${mailServer}` })
    .optional(),
  SMS_GATEWAY_URL: httpUrl.optional(),
  MAP_STYLE_URL: httpUrl.optional(),
  GEOCODER_URL: httpUrl.optional(),
  ROADS_DIR: z.string().min(1, 'accepted: a folder').optional(),
  VALHALLA_URL: httpUrl.optional(),
  OSRM_URL: httpUrl.optional(),
  MILKRUN_SANDBOX_URL: httpUrl.optional(),
  TRUST_PROXY: proxies.optional(),
  COST_PER_HOUR: z.coerce
    .number({ error: costRange })
    .positive(costRange)
    .max(10_000, costRange)
    .default(usualCostPerHour),
  LEDGER_MONTHS: z
    .string()
    .regex(/^\d{1,4}$/, monthsRange)
    .transform(Number)
    .refine((months) => months === 0 || months >= 14, monthsRange)
    .default(0),
  METRICS_TOKEN: z.string().min(16, 'accepted: at least 16 characters').optional(),
  SLOW_QUERY_MS: z.coerce.number({ error: slowRange }).int(slowRange).min(1, slowRange).default(500),
  MAX_IN_FLIGHT: z.coerce.number({ error: flightRange }).int(flightRange).min(4, flightRange).default(64),
  CLAMAV_ADDRESS: hostAndPort.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine(areHeaders, { error: 'accepted: name=value,name=value with percent-encoded values' })
    .optional(),
  OTEL_SERVICE_NAME: z.string().min(1, 'accepted: a name').default('milkrun'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'accepted: trace, debug, info, warn, error, fatal, silent',
    })
    .default('info'),
});

/** Every setting's name. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

/** Process settings, parsed once. */
export type Env = {
  /** all: everything in this process; web: answers people; worker: background jobs, health and metrics only. */
  role: 'all' | 'web' | 'worker';
  port: number;
  host: string;
  publicUrl: string | null;
  /** Certificate and key, where the server itself speaks TLS; null: a proxy before it does. */
  tls: { certFile: string; keyFile: string } | null;
  databaseUrl: string | null;
  databaseDirectUrl: string | null;
  databaseAdminUrl: string | null;
  /** A copy that follows the primary: reports are read there. */
  databaseReplicaUrl: string | null;
  /** A trial on a PostgreSQL that a loss of power destroys. */
  fsyncMayBeOff: boolean;
  dataFolder: string;
  /** Whether an empty database may be filled with the synthetic operator. */
  demo: boolean;
  secretKey: string | null;
  /** The key before, set while it is being changed. */
  secretKeyBefore: string | null;
  smtpUrl: string | null;
  smsGatewayUrl: string | null;
  mapStyleUrl: string | null;
  geocoderUrl: string | null;
  /** Where the road engine's files are. */
  roadsFolder: string;
  valhallaUrl: string | null;
  osrmUrl: string | null;
  /** The partner systems' stand-in: the one address, beside the public ones over https, that may be called. */
  sandboxUrl: string | null;
  trustProxy: string | null;
  /** What an hour of driver and van costs, in the operator's currency: weighs a visit against the way. */
  costPerHour: number;
  /** Full months of ledger and sales that stay in the database beside the running one; 0: all. */
  ledgerMonths: number;
  logLevel: string;
  /** Lets a caller from elsewhere read /metrics. */
  metricsToken: string | null;
  /** Statements that take longer are logged. */
  slowQueryMs: number;
  /** A clamd that looks at files people send; null: none. */
  scanner: { host: string; port: number } | null;
  /** Calls of people worked on at once; more are asked to come back. */
  maxInFlight: number;
  /** Where OpenTelemetry traces and the audit log go; null: nowhere. */
  collector: { endpoint: string; headers: string; service: string } | null;
};

/** Thrown for a wrong setting: names it and what is accepted. */
export class EnvError extends Error {}

/** Reads the settings, e.g. from `process.env`; empty text counts as absent. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(present);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new EnvError(`Wrong setting. ${lines.join('; ')}`);
  }
  const e = parsed.data;
  if (e.MILKRUN_ROLE !== 'all' && !e.DATABASE_URL) {
    throw new EnvError(
      'Wrong setting. MILKRUN_ROLE: web and worker need DATABASE_URL; the embedded database is for one process',
    );
  }
  if (e.TLS_CERT_FILE || e.TLS_KEY_FILE) {
    const isWhole = e.TLS_CERT_FILE && e.TLS_KEY_FILE && e.PUBLIC_URL?.startsWith('https://');
    if (!isWhole) {
      throw new EnvError('Wrong setting. TLS_CERT_FILE: needs TLS_KEY_FILE, and PUBLIC_URL with https://');
    }
  }
  return {
    role: e.MILKRUN_ROLE,
    port: e.PORT,
    host: e.HOST,
    publicUrl: e.PUBLIC_URL ?? null,
    tls: e.TLS_CERT_FILE && e.TLS_KEY_FILE ? { certFile: e.TLS_CERT_FILE, keyFile: e.TLS_KEY_FILE } : null,
    databaseUrl: e.DATABASE_URL ?? null,
    databaseDirectUrl: e.DATABASE_DIRECT_URL ?? null,
    databaseAdminUrl: e.DATABASE_ADMIN_URL ?? null,
    databaseReplicaUrl: e.DATABASE_REPLICA_URL ?? null,
    fsyncMayBeOff: e.MILKRUN_FSYNC_OFF === '1',
    dataFolder: path.resolve(e.MILKRUN_DATA),
    demo: e.MILKRUN_DEMO ? e.MILKRUN_DEMO === '1' : !e.DATABASE_URL,
    secretKey: e.MILKRUN_SECRET_KEY ?? null,
    secretKeyBefore: e.MILKRUN_SECRET_KEY_BEFORE ?? null,
    smtpUrl: e.SMTP_URL ?? null,
    smsGatewayUrl: e.SMS_GATEWAY_URL ?? null,
    mapStyleUrl: e.MAP_STYLE_URL ?? null,
    geocoderUrl: e.GEOCODER_URL ?? null,
    roadsFolder: path.resolve(e.ROADS_DIR ?? path.join(e.MILKRUN_DATA, 'roads')),
    valhallaUrl: e.VALHALLA_URL ?? null,
    osrmUrl: e.OSRM_URL ?? null,
    sandboxUrl: e.MILKRUN_SANDBOX_URL ?? null,
    trustProxy: e.TRUST_PROXY ?? null,
    costPerHour: e.COST_PER_HOUR,
    ledgerMonths: e.LEDGER_MONTHS,
    logLevel: e.LOG_LEVEL,
    metricsToken: e.METRICS_TOKEN ?? null,
    slowQueryMs: e.SLOW_QUERY_MS,
    maxInFlight: e.MAX_IN_FLIGHT,
    scanner: e.CLAMAV_ADDRESS ?? null,
    collector: e.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: e.OTEL_EXPORTER_OTLP_HEADERS ?? '',
          service: e.OTEL_SERVICE_NAME,
        }
      : null,
  };
}

const thisMachine = ['127.0.0.1', '::1', 'localhost'];

/** Whether the database shares this machine's disks: it is the embedded one, or reached by loopback or a socket. Past a pooler. */
export function isDatabaseHere({ databaseUrl, databaseDirectUrl }: Pick<Env, 'databaseUrl' | 'databaseDirectUrl'>) {
  const address = databaseDirectUrl ?? databaseUrl;
  if (address === null) return true;
  const { hostname, searchParams } = new URL(address);
  const host = decodeURIComponent(searchParams.get('host') ?? hostname).replace(/^\[|\]$/g, '');
  return host === '' || host.startsWith('/') || host.startsWith('127.') || thisMachine.includes(host);
}

/** Whether others can reach the server, and nothing says that they do so by TLS. */
export const isOpenInClear = ({ publicUrl, host }: Pick<Env, 'publicUrl' | 'host'>): boolean =>
  !publicUrl?.startsWith('https:') && !thisMachine.includes(host);
