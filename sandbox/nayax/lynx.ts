import type { Place } from '../fleet.ts';
import type { SandboxReply, SandboxRequest, World } from '../vendor.ts';
import { type Account, accessProblem, issueToken } from './access.ts';
import { alertRecords } from './alerts.ts';
import { deviceRecord, machineRecord, statusRecord } from './machines.ts';
import { deviceSerialOf, machineIdOf, type Out, operatorActorId, routeActorOf, toJson } from './records.ts';
import { lastSales } from './sales.ts';
import { pickRecords, productRecords } from './stock.ts';

/** Which machines have a Nayax device. */
export type Serves = (place: Place) => boolean;

export type Lynx = { serves: Serves; account: Account };

/** Answers as the operational API of Nayax Core does: bare arrays, no totals, statuses as published. */
export function answerLynx(request: SandboxRequest, world: World, { serves, account }: Lynx): SandboxReply {
  const path = request.path.replace(/^\/operational/, '');
  if (request.method === 'POST' && path === '/v1/issue-access-token') return issueToken(request, world, account);
  const problem = accessProblem(request, world, account);
  if (problem) return problem;
  const played = world.fault(`${request.method} ${path}`);
  if (played?.kind === 'ok_false') {
    return json({ Ok: false, Message: 'Operation failed', SystemMessage: 'Object reference not set', code: 17 });
  }
  if (played?.kind === 'token_expired') return { status: 401 };
  const machines = machinesOf(world, serves);
  if (path === '/v1/machines') {
    if (played?.kind === 'machine_deleted') removeFirst(world, machines);
    return json(machinePage(world, machinesOf(world, serves), request.query));
  }
  if (path === '/v1/devices') return json(devicePage(world, machines, request.query));
  if (request.method !== 'GET') return write(path, request, world);
  return machineCall(path, world, { machines, played: played?.kind ?? null });
}

function machinesOf(world: World, serves: Serves): Place[] {
  return world.fleet.machines.filter((place) => serves(place) && !world.state.has(`deleted:${machineIdOf(place)}`));
}

/** A machine that was listed already is deleted: everything after it moves up by one. */
function removeFirst(world: World, machines: readonly Place[]): void {
  const [first] = machines;
  if (first) world.state.set(`deleted:${machineIdOf(first)}`, true);
}

function machinePage(world: World, machines: readonly Place[], query: URLSearchParams): Out[] {
  const limit = Math.min(500, Math.max(1, Number(query.get('ResultsLimit') ?? 100)));
  const offset = Math.max(0, Number(query.get('ResultsOffset') ?? 0));
  const wanted = machines.filter((place) => fits(place, query) && belongsTo(world, place, query.get('ActorID')));
  return wanted.slice(offset, offset + limit).map((place) => machineRecord(world, place));
}

/** All are the operator's, each is one route's, and an actor that the token does not see has none. */
function belongsTo(world: World, place: Place, actor: string | null): boolean {
  return [null, '', String(operatorActorId), String(routeActorOf(world.fleet, place))].includes(actor);
}

/** By id or the operator's number. */
function fits(place: Place, query: URLSearchParams): boolean {
  const machineId = query.get('MachineID');
  const number = query.get('OperatorIdentifier');
  return (!machineId || machineId === String(machineIdOf(place))) && (!number || number === place.number);
}

function devicePage(world: World, machines: readonly Place[], query: URLSearchParams): Out[] {
  const size = Math.min(1000, Math.max(1, Number(query.get('pageSize') ?? 1000)));
  const from = (Math.max(1, Number(query.get('pageNumber') ?? 1)) - 1) * size;
  return machines.slice(from, from + size).map((place) => deviceRecord(world, place));
}

type Asked = { machines: readonly Place[]; played: string | null };

function machineCall(path: string, world: World, { machines, played }: Asked): SandboxReply {
  const device = /^\/v1\/(?:devices|vpos)\/([^/]+)\/machine$/.exec(path);
  if (device) {
    return json(machines.filter((one) => deviceSerialOf(one) === device[1]).map((one) => machineRecord(world, one)));
  }
  const [, id = '', call = ''] = /^\/v1\/machines\/(\d+)(?:\/([A-Za-z]+))?$/.exec(path) ?? [];
  const place = machines.find((one) => String(machineIdOf(one)) === id);
  if (!place) return { status: 404, headers: jsonType, body: JSON.stringify({ Message: 'Not found' }) };
  if (call === '') return json(machineRecord(world, place));
  if (call === 'status') return json(statusRecord(world, place));
  if (call === 'lastSales') return json(lastSales(world, place, played === 'forgetful'));
  if (call === 'lastAlerts') return json(alertRecords(world, place));
  if (call === 'machineProducts') return json(productRecords(world, place, played === 'selection_removed'));
  return call === 'pickList' ? json(pickRecords(world, place)) : { status: 404 };
}

/** Writes of stock: done, and read back half a minute later. */
function write(path: string, request: SandboxRequest, world: World): SandboxReply {
  if (!/^\/v1\/machines\/inventory\/(?:full|empty|picklists\/update)$/.test(path)) return { status: 404 };
  for (const [, id] of request.body.toString().matchAll(/"MachineID"\s*:\s*"?(\d+)/g)) {
    if (path.endsWith('full')) world.state.set(`filled:${id}`, world.now());
  }
  return json({ Ok: true, Message: null, SystemMessage: null, code: 0 });
}

const jsonType = { 'content-type': 'application/json; charset=utf-8' };

function json(value: unknown): SandboxReply {
  return { status: 200, headers: jsonType, body: toJson(value) };
}
