import type { Point } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import type { Clock, Deps, Roads } from '../deps.ts';
import { purgeCache } from './cache.ts';
import { type Ask, realAsk } from './engines/ask.ts';
import { type Breaker, breaker } from './engines/breaker.ts';
import { embeddedValhalla } from './engines/embedded.ts';
import { osrmOverHttp } from './engines/osrm.ts';
import { type Engine, usualWish, type Wish } from './engines/provider.ts';
import { valhallaOverHttp } from './engines/valhalla.ts';
import { purgeLines, readLines } from './lines.ts';
import { keyOf, matrixOf, type Ready } from './matrix.ts';
import { noWays } from './no-ways.ts';
import { offRoad } from './off-road.ts';
import { findEstimate } from './queries.ts';
import { readManifest } from './roads-folder.ts';
import { wayOf } from './way.ts';

export type { TravelMatrix } from './engines/provider.ts';
export { buildRoads } from './extract/build.ts';
export { learnEstimate } from './learn.ts';
export { requireRoadsFolder } from './roads-folder.ts';

/** How long the version of an engine's map is believed. */
const versionMs = 600_000;

/** How others are asked, and the code of the engine's thread. */
type Parts = { io: Ask; worker: URL };
/** Removes stored travel nobody asks for any more; part of the nightly cleaning. */
export async function purgeTravel({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await purgeCache(db, clock.now());
  await purgeLines(db, clock.now());
}

type Needs = Pick<Deps, 'env' | 'db' | 'clock' | 'log'>;

/** The roads the settings name: a Valhalla, an OSRM, the engine built here, or none. */
export function roadsOf(deps: Needs, parts: Partial<Parts> = {}): Roads {
  const { db, clock, log } = deps;
  const choice = engineChoice(deps, {
    io: realAsk,
    worker: new URL('./roads-worker.js', import.meta.url),
    ...parts,
  });
  const failed = (error: unknown): void => log.warn({ err: error }, 'road engine');
  const wishOf = (wish: Partial<Wish> = {}): Wish => ({ ...usualWish, ...wish });
  const ask = async (points: readonly Point[], wish: Wish, from: { db: Db; mayAsk: boolean }) => {
    const ready = points.length > 1 ? await choice.ready(failed) : null;
    return matrixOf({
      db: from.db,
      ready,
      isSilent: choice.remote !== null && points.length > 1 && !ready,
      estimate: await findEstimate(from.db),
      points,
      wish,
      at: clock.now(),
      mayAsk: from.mayAsk,
      failed,
    });
  };
  const away = offRoad();
  const without = noWays();
  return {
    matrix: (points, wish) => ask(points, wishOf(wish), { db, mayAsk: true }),
    knownMatrix: (tx, points) => ask(points, usualWish, { db: tx, mayAsk: false }),
    route: async (points, wish) => {
      const estimate = await findEstimate(db);
      const ready = await choice.ready(failed);
      const isSilent = choice.remote !== null && !ready;
      const asked = { points, wish: wishOf(wish), noWays: without };
      return wayOf({ db, at: clock.now(), ready, isSilent, estimate, ...asked, failed });
    },
    knownLines: async (from, points, circles) => {
      const ready = circles.length > 0 && points.length > 1 ? await choice.ready(failed) : null;
      return ready ? readLines(from, keyOf(ready, usualWish, clock.now()), points, circles) : [];
    },
    roadKm: async (points) => away(points, { ready: await choice.ready(failed), wish: usualWish, failed }),
    // Of a server that does not answer each way says so; that none is set would be untrue.
    source: async () => choice.remote ?? (await choice.ready(failed))?.engine.source ?? 'estimate',
    version: async () => (await choice.ready(failed))?.version ?? 'estimate',
    close: choice.close,
  };
}

type Failed = (error: unknown) => void;
type Choice = {
  /** Where the engine is a server of others, which may not answer: what it is. */
  remote: Engine['source'] | null;
  ready: (failed: Failed) => Promise<Ready | null>;
  close: () => Promise<void>;
};

function engineChoice({ env, clock }: Needs, { io, worker }: Parts): Choice {
  const remote = remoteEngine(env, io);
  const health = breaker(clock);
  if (remote) {
    const { source, close } = remote.engine;
    return { remote: source, ready: remote.ready, close };
  }
  let built: { manifest: string; engine: Engine | null } = { manifest: '', engine: null };
  return {
    remote: null,
    ready: async () => {
      const manifest = await readManifest(env.roadsFolder);
      // A map that was built anew is taken up without a restart.
      if (manifest && manifest.version !== built.manifest) {
        await built.engine?.close();
        built = { manifest: manifest.version, engine: embeddedValhalla(env.roadsFolder, manifest, worker) };
      }
      const { engine } = built;
      return engine ? { engine, version: await engine.version(), breaker: health } : null;
    },
    close: async () => built.engine?.close(),
  };

  function remoteEngine(settings: Deps['env'], ask: Ask) {
    if (settings.valhallaUrl) return versioned(valhallaOverHttp(settings.valhallaUrl, ask), clock);
    if (settings.osrmUrl) return versioned(osrmOverHttp(settings.osrmUrl, ask), clock);
    return null;
  }
}

/** A server of others, whose map may change at any time: its version is asked for now and then. */
function versioned(engine: Engine, clock: Clock) {
  const health: Breaker = breaker(clock);
  let known: { version: string; at: number } | null = null;
  const versionOf = async (): Promise<string> => {
    const now = clock.now().getTime();
    if (known && (now - known.at < versionMs || health.isOpen())) return known.version;
    known = { version: await engine.version(), at: now };
    return known.version;
  };
  const ready = async (failed: Failed): Promise<Ready | null> => {
    if (health.isOpen() && !known) return null;
    try {
      return { engine, version: await versionOf(), breaker: health };
    } catch (error) {
      health.failed();
      failed(error);
      // Stored answers of the map last seen stay good while its server rests.
      return known ? { engine, version: known.version, breaker: health } : null;
    }
  };
  return { engine, ready };
}
