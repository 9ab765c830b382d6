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

const costRange = 'accepted: what an hour of driver and van costs, e.g. 45';

const schema = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, portRange)
    .transform(Number)
    .refine((n) => n <= 65_535, portRange)
    .default(3000),
  HOST: z.string().min(1, 'accepted: an address to listen on, e.g. 127.0.0.1 or 0.0.0.0').default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_ADMIN_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  MILKRUN_DATA: z.string().min(1, 'accepted: a folder').default('./data'),
  MILKRUN_DEMO: flag.optional(),
  MILKRUN_SECRET_KEY: z.string().min(32, 'accepted: at least 32 characters').optional(),
  SMTP_URL: url(['smtp', 'smtps'], 'smtp://user:password@host:587').optional(),
  SMS_GATEWAY_URL: httpUrl.optional(),
  MAP_STYLE_URL: httpUrl.optional(),
  ROADS_DIR: z.string().min(1, 'accepted: a folder').optional(),
  VALHALLA_URL: httpUrl.optional(),
  OSRM_URL: httpUrl.optional(),
  TRUST_PROXY: proxies.optional(),
  COST_PER_HOUR: z.coerce
    .number({ error: costRange })
    .positive(costRange)
    .max(10_000, costRange)
    .default(usualCostPerHour),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'accepted: trace, debug, info, warn, error, fatal, silent',
    })
    .default('info'),
});

/** Process settings, parsed once. */
export type Env = {
  port: number;
  host: string;
  publicUrl: string | null;
  databaseUrl: string | null;
  databaseDirectUrl: string | null;
  databaseAdminUrl: string | null;
  dataFolder: string;
  /** Whether an empty database may be filled with the synthetic operator. */
  demo: boolean;
  secretKey: string | null;
  smtpUrl: string | null;
  smsGatewayUrl: string | null;
  mapStyleUrl: string | null;
  /** Where the road engine's files are. */
  roadsFolder: string;
  valhallaUrl: string | null;
  osrmUrl: string | null;
  trustProxy: string | null;
  /** What an hour of driver and van costs, in the operator's currency: weighs a visit against the way. */
  costPerHour: number;
  logLevel: string;
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
  return {
    port: e.PORT,
    host: e.HOST,
    publicUrl: e.PUBLIC_URL ?? null,
    databaseUrl: e.DATABASE_URL ?? null,
    databaseDirectUrl: e.DATABASE_DIRECT_URL ?? null,
    databaseAdminUrl: e.DATABASE_ADMIN_URL ?? null,
    dataFolder: path.resolve(e.MILKRUN_DATA),
    demo: e.MILKRUN_DEMO ? e.MILKRUN_DEMO === '1' : !e.DATABASE_URL,
    secretKey: e.MILKRUN_SECRET_KEY ?? null,
    smtpUrl: e.SMTP_URL ?? null,
    smsGatewayUrl: e.SMS_GATEWAY_URL ?? null,
    mapStyleUrl: e.MAP_STYLE_URL ?? null,
    roadsFolder: path.resolve(e.ROADS_DIR ?? path.join(e.MILKRUN_DATA, 'roads')),
    valhallaUrl: e.VALHALLA_URL ?? null,
    osrmUrl: e.OSRM_URL ?? null,
    trustProxy: e.TRUST_PROXY ?? null,
    costPerHour: e.COST_PER_HOUR,
    logLevel: e.LOG_LEVEL,
  };
}
