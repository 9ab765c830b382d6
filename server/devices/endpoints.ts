import * as contract from '../../contract/devices.ts';
import { may } from '../../domain/permissions.ts';
import { cookieJar } from '../auth/service.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { logIn, logOut, stateOf } from './login.ts';
import { countTry, forgiveTry, issueCode, nameOf, readCode, refuseCode, routeOfCode } from './pairing.ts';
import { findChoices, findDevicePage } from './queries.ts';
import { revokeDevice } from './service.ts';

export const deviceEndpoints = (deps: Deps): Handled[] => [
  handle(contract.checkPairingCode, async ({ body, request }) => {
    await countTry(deps, request.ip);
    const code = await readCode(deps, deps.db, body.pairingCode);
    if (!code) throw await refuseCode(deps, request.ip, null);
    await forgiveTry(deps, request.ip);
    return {
      routeDesignations: [routeOfCode(code)],
      worker: nameOf(code.worker),
      expiresAt: code.expiresAt.toISOString(),
    };
  }),
  handle(contract.deviceLogin, ({ caller, body, request, reply }) => logIn(deps, caller, body, { request, reply })),
  handle(contract.deviceLogout, async ({ caller, body, reply }) => {
    await logOut(deps, caller, body.deviceId);
    cookieJar(deps.env.publicUrl).clearSession(reply);
    return {};
  }),
  handle(contract.getDevice, ({ caller }) => stateOf(deps, caller, caller !== null && may(caller.role, 'device:pair'))),
  handle(contract.listPairingChoices, () => findChoices(deps.db)),
  handle(contract.issuePairingCode, async ({ caller, body, request }) => {
    const issued = await issueCode(deps, caller, body);
    const base = deps.env.publicUrl ?? `${request.protocol}://${request.host}`;
    // Behind the hash, which no browser sends: the code stands in no server's log.
    return { ...issued, link: `${base.replace(/\/$/, '')}/device-login#code=${issued.code}` };
  }),
  handle(contract.pageDevices, ({ query }) => findDevicePage(deps.db, query)),
  handle(contract.revokeDevice, async ({ caller, params }) => {
    await revokeDevice(deps, caller, params.id);
    return {};
  }),
];
