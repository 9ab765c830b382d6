import { dayIn, instantIn } from '../../domain/time.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { vendorsBesideEachOther } from '../../sandbox/vendors.ts';
import { timeZone } from '../../simulator/calendar.ts';
import { type ProfileName, profileNames } from '../../simulator/operator/profiles.ts';
import type { Db } from '../db/database.ts';
import type { DemoSandbox } from '../deps.ts';
import type { Env } from '../env.ts';
import { getMarker, getOperator, setMarker } from '../settings/service.ts';
import { willBeDemo } from './service.ts';

/** Day on which the demo's partner systems began to sell: before it, the demo's own history has the sales. */
const sinceMarker = 'sandbox-since';

/** Where they answered before: a configuration may have the address of one among its settings. */
const portMarker = 'sandbox-port';

/** A demo should show a sale within the time a person looks. */
const livePerMinute = 3;

/**
 * The partner systems' stand-ins beside a demo, on a port of this machine, the same after a restart where it is free; null outside a demo, or where
 * MILKRUN_SANDBOX_URL names others. They know the very machines and markets of the demo.
 */
export async function startDemoSandbox(env: Env, db: Db): Promise<DemoSandbox | null> {
  if (env.sandboxUrl !== null || env.role !== 'all' || !(await willBeDemo(env, db))) return null;
  const { demoProfile, demoSeed } = await getOperator(db);
  const today = dayIn(timeZone, new Date());
  const since = (await getMarker(db, sinceMarker)) ?? today;
  await setMarker(db, sinceMarker, since);
  const from = instantIn(timeZone, since, 0);
  const options = {
    vendors: vendorsBesideEachOther,
    profile: profileOf(demoProfile),
    seed: demoSeed ?? 1,
    from,
    livePerMinute,
  };
  const before = Number((await getMarker(db, portMarker)) ?? 0);
  // Somebody else may have the port by now: then configurations have to be told the new one.
  const running = await startSandbox({ ...options, port: before }).catch(() => startSandbox(options));
  await setMarker(db, portMarker, new URL(running.origin).port);
  const credentials = running.sphere.options.vendors.map((vendor) => [
    vendor.prefix.replaceAll('-', '_'),
    { ...vendor.credentials, ...own[vendor.prefix]?.(running.origin) },
  ]);
  return { origin: running.origin, credentials: Object.fromEntries(credentials), close: running.close };
}

/** Addresses, which stand-ins only have once they run. */
const own: Record<string, (origin: string) => Record<string, string>> = {
  'nama-vdi': (origin) => ({ apiEndpoint: `${origin}/nama-vdi` }),
};

const profileOf = (name: string | null): ProfileName => profileNames.find((profile) => profile === name) ?? 'S';
