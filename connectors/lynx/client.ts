import type { IntegrationSystem } from '../../domain/integration.ts';
import { type VendorContext, VendorError, type VendorReply } from '../connector.ts';
import { isRec, parseJson, type Rec, recordsOf, text } from './read.ts';

/** How one configuration reaches Lynx, the operational API of Nayax Core. */
export type LynxAccess = {
  system: IntegrationSystem;
  /** How people call it. */
  label: string;
  /** Without a slash at its end: `https://lynx.nayax.com/operational`. */
  base: string;
  /** The bearer token; `renewed` asks for another than the one that was just refused, null where there is none. */
  token: (renewed: boolean) => Promise<string | null>;
  /** What to do when the token is refused, as a sentence. */
  refused: string;
};

/** The calls of Lynx that are read here. What is gone (404) is null. Throws VendorError. */
export type Lynx = {
  machines: (page: { offset: number; limit: number; actorId: string | null }) => Promise<Rec[]>;
  status: (machineId: string) => Promise<Rec | null>;
  lastSales: (machineId: string) => Promise<Rec[] | null>;
  lastAlerts: (machineId: string) => Promise<Rec[] | null>;
  machineProducts: (machineId: string) => Promise<Rec[] | null>;
  pickList: (machineId: string) => Promise<Rec[] | null>;
  /** Pages count from 1. */
  devices: (page: { number: number; size: number }) => Promise<Rec[]>;
};

export const production = 'https://lynx.nayax.com/operational';
/** Nayax's own test system: what 'sandbox' means where this server has no sandbox of its own. */
export const vendorTest = 'https://qa-lynx.nayax.com/operational';

/** Calls with the token of the access, and once more with a renewed one where it was refused. */
export function lynxClient(access: LynxAccess, context: VendorContext): Lynx {
  const ask = async (path: string): Promise<unknown> => {
    const first = await send(access, context, path, false);
    // A token may have run out in mid walk: one renewal, never a loop.
    const again = first?.status === 401 ? await send(access, context, path, true) : null;
    return answerOf(access, again ?? first);
  };
  const list = async (path: string) => {
    const answer = await ask(path);
    return answer === null ? null : recordsOf(answer);
  };
  const machine = (machineId: string, call: string) => list(`/v1/machines/${encodeURIComponent(machineId)}/${call}`);
  return {
    machines: async ({ offset, limit, actorId }) => {
      const actor = actorId === null ? '' : `&ActorID=${encodeURIComponent(actorId)}`;
      return (await list(`/v1/machines?ResultsLimit=${limit}&ResultsOffset=${offset}${actor}`)) ?? [];
    },
    status: async (machineId) => (await machine(machineId, 'status'))?.[0] ?? null,
    lastSales: (machineId) => machine(machineId, 'lastSales'),
    lastAlerts: (machineId) => machine(machineId, 'lastAlerts'),
    machineProducts: (machineId) => machine(machineId, 'machineProducts'),
    pickList: (machineId) => machine(machineId, 'pickList'),
    devices: async ({ number, size }) => (await list(`/v1/devices?pageNumber=${number}&pageSize=${size}`)) ?? [],
  };
}

/** Sends with the token, or with a renewed one; null where there is no other. */
async function send(
  access: LynxAccess,
  context: VendorContext,
  path: string,
  renewed: boolean,
): Promise<VendorReply | null> {
  const token = await access.token(renewed);
  if (token === null && renewed) return null;
  return context.fetch(`${access.base}${path}`, {
    headers: { authorization: `Bearer ${token ?? ''}`, accept: 'application/json' },
  });
}

const lacksRight = 'If a new one is refused too, give its user the right to see machines and sales.';

function answerOf({ system, label, refused }: LynxAccess, reply: VendorReply | null): unknown {
  if (reply === null || reply.status === 404) return null;
  // Documents differ on whether a good token that may not read this gets 401 or 403: here both are said.
  if (reply.status === 401) throw new VendorError(system, 'auth', `${refused} ${lacksRight}`);
  if (reply.status === 403) {
    throw new VendorError(
      system,
      'forbidden',
      `${label} knows the token but does not let it read this. Give its user the right to see machines and sales in Nayax Core.`,
    );
  }
  if (reply.status < 200 || reply.status > 299) {
    throw new VendorError(
      system,
      'bad-data',
      `${label} answered with status ${reply.status}, which it should not. It is tried again by itself; if it stays so, check the address in the configuration.`,
    );
  }
  return bodyOf(system, label, reply);
}

function bodyOf(system: IntegrationSystem, label: string, reply: VendorReply): unknown {
  const body = reply.text().trim();
  if (body === '') return [];
  let answer: unknown;
  try {
    answer = parseJson(body);
  } catch (error) {
    const what = body.startsWith('<') ? 'a web page' : 'something that cannot be read';
    throw new VendorError(
      system,
      'bad-data',
      `${label} sent ${what} instead of data. It is tried again by itself; if it stays so, check the address in the configuration.`,
      error,
    );
  }
  // Some calls say with status 200 that they failed.
  if (isRec(answer) && answer.Ok === false) {
    const told = text(answer, 'Message', 'SystemMessage');
    throw new VendorError(
      system,
      'bad-data',
      `${label} refused the call${told ? `: ${told.replace(/\.$/, '')}` : ''}. Check the token’s rights in Nayax Core.`,
    );
  }
  return answer;
}

/** Base address: what the person entered, else this server's sandbox, else the vendor's for the environment. */
export function baseOf(
  entered: string | null,
  sandboxUrl: string | null,
  prefix: string,
  environment: unknown,
): string {
  if (entered) return entered.replace(/\/+$/, '').replace(/\/v1$/, '');
  if (sandboxUrl) return `${sandboxUrl.replace(/\/+$/, '')}/${prefix}/operational`;
  return environment === 'production' ? production : vendorTest;
}

/** A settings field as text; null when it is empty. */
export function setting(settings: VendorContext['settings'], name: string): string | null {
  const value = settings[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
