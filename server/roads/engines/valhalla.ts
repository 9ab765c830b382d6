import { type Ask, ask } from './ask.ts';
import type { Engine } from './provider.ts';
import {
  locateQuestion,
  matrixQuestion,
  readLocate,
  readMatrix,
  readRoute,
  readStatus,
  routeQuestion,
  type ValhallaAction,
  valhallaRefusal,
} from './valhalla-wire.ts';

/** What a server of Valhalla allows where its owner changed nothing: 2,500 pairs, 20 places of a route. */
const usualTableLimit = 50;
const usualWayLimit = 20;

const paths: Record<ValhallaAction, string> = {
  matrix: 'sources_to_targets',
  route: 'route',
  locate: 'locate',
  status: 'status',
};

export type AskValhalla = (action: ValhallaAction, question: object) => Promise<unknown>;

/** A Valhalla server at an address. */
export function valhallaOverHttp(url: string, io: Ask): Engine {
  const base = url.endsWith('/') ? url : `${url}/`;
  const send: AskValhalla = async (action, question) => {
    const { status, json } = await ask(io, { method: 'POST', url: new URL(paths[action], base).href, body: question });
    if (status !== 200) throw valhallaRefusal(json);
    return json;
  };
  return valhallaEngine(send, { tableLimit: usualTableLimit, wayLimit: usualWayLimit, name: new URL(base).host });
}

type Setup = { tableLimit: number; wayLimit: number; name: string; close?: () => Promise<void> };

/** The engine behind whatever carries questions to a Valhalla. */
export function valhallaEngine(send: AskValhalla, setup: Setup): Engine {
  let limit = setup.tableLimit;
  return {
    source: 'valhalla',
    avoids: true,
    wayLimit: setup.wayLimit,
    tableLimit: () => limit,
    version: async () => `valhalla-${setup.name}-${readStatus(await send('status', {}))}`,
    table: async (from, to, wish) => {
      try {
        return readMatrix(await send('matrix', matrixQuestion(from, to, wish)));
      } catch (error) {
        if (isTooLarge(error)) limit = Math.max(1, Math.floor(Math.max(from.length, to.length) / 2));
        throw error;
      }
    },
    way: async (points, wish) => readRoute(await send('route', routeQuestion(points, wish))),
    roadKm: async (points, wish) => readLocate(await send('locate', locateQuestion(points, wish)), points),
    close: setup.close ?? (async () => {}),
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'too-large';
}
