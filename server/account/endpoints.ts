import * as contract from '../../contract/account.ts';
import { AppError } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import { codeLifeMs, cookieJar, endOtherSessions, requireFresh } from '../auth/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { type Handled, handle } from '../http/handle.ts';
import {
  addPasskey,
  beginTotp,
  confirmTotp,
  listFactors,
  registrationOptions,
  renewRecoveryCodes,
  siteOf,
} from '../second-factor/service.ts';
import { getOperator } from '../settings/service.ts';
import { confirmPhoneCode, sendPhoneCode } from './phone.ts';
import {
  accountOf,
  endByShownId,
  factorAdded,
  removeOwnFactor,
  requireSecondFactor,
  securityOf,
  tell,
} from './service.ts';

export const accountEndpoints = (deps: Deps): Handled[] => [
  handle(contract.getAccount, ({ caller }) => accountOf(deps, caller)),
  handle(contract.endAccountSession, async ({ caller, params }) => {
    await endByShownId(deps, caller, params.id);
    return {};
  }),
  handle(contract.endOtherSessions, async ({ caller }) => {
    await deps.db.transaction(async (tx) => {
      if (caller.sid) await endOtherSessions(tx, caller.userId, caller.sid);
      await recordAudit(tx, caller, { action: 'auth.sessions-ended', objectType: 'user', objectId: caller.userId });
    });
    return {};
  }),
  ...appEndpoints(deps),
  ...passkeyEndpoints(deps),
  ...factorEndpoints(deps),
  ...phoneEndpoints(deps),
  ...securityEndpoints(deps),
];

function appEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.beginApp, async ({ caller }) => {
      await requireFresh(deps, caller);
      const { name } = await getOperator(deps.db);
      const issuer = name ? `Milkrun ${name}` : 'Milkrun';
      const at = deps.clock.now();
      return beginTotp(deps.db, deps.secrets, { userId: caller.userId, email: caller.email, issuer, at });
    }),
    handle(contract.confirmApp, async ({ caller, body }) => {
      await requireFresh(deps, caller);
      const added = await deps.db.transaction(async (tx) => {
        await confirmTotp(tx, deps.secrets, { userId: caller.userId, code: body.code, at: deps.clock.now() });
        return factorAdded(tx, caller, 'app');
      });
      tell(deps, caller, 'An authenticator app was set up for your Milkrun sign-in.');
      return added;
    }),
  ];
}

type MadeResponse = Parameters<typeof addPasskey>[3]['response'];

function passkeyEndpoints(deps: Deps): Handled[] {
  const asking = (caller: Caller, origin: string | undefined) => ({
    askedBy: caller.sid ?? '',
    site: siteOf(deps.env.publicUrl, origin),
    at: deps.clock.now(),
  });
  return [
    handle(contract.beginPasskey, async ({ caller, request }) => {
      await requireFresh(deps, caller);
      return { options: { ...(await registrationOptions(deps.db, caller, asking(caller, request.headers.origin))) } };
    }),
    handle(contract.addPasskey, async ({ caller, body, request }) => {
      await requireFresh(deps, caller);
      const about = asking(caller, request.headers.origin);
      // The library's type has no `undefined` among its optional fields; the shape is proven.
      const given = { name: body.name, response: body.credential as MadeResponse };
      const added = await deps.db.transaction(async (tx) => {
        await addPasskey(tx, caller.userId, about, given);
        return factorAdded(tx, caller, 'passkey');
      });
      tell(deps, caller, 'A passkey was set up for your Milkrun sign-in.');
      return added;
    }),
  ];
}

function factorEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.removeFactor, async ({ caller, params }) => {
      await requireFresh(deps, caller);
      await removeOwnFactor(deps, caller, params.id);
      tell(deps, caller, 'A second step of your Milkrun sign-in was removed.');
      return {};
    }),
    handle(contract.renewRecoveryCodes, async ({ caller }) => {
      if ((await listFactors(deps.db, caller.userId)).length === 0) {
        throw new AppError('conflict', 'Recovery codes come with a second step. Set one up first.');
      }
      await requireFresh(deps, caller);
      const recoveryCodes = await deps.db.transaction(async (tx) => {
        const entry = { action: 'auth.recovery-codes', objectType: 'user', objectId: caller.userId };
        await recordAudit(tx, caller, entry);
        return renewRecoveryCodes(tx, caller.userId);
      });
      tell(deps, caller, 'New recovery codes were made for your Milkrun sign-in.');
      return { recoveryCodes };
    }),
  ];
}

function phoneEndpoints(deps: Deps): Handled[] {
  const jarOf = () => cookieJar(deps.env.publicUrl);
  return [
    handle(contract.beginPhone, async ({ caller, reply }) => {
      jarOf().setChallenge(reply, await sendPhoneCode(deps, caller), codeLifeMs);
      return { sent: true as const, expiresInSeconds: codeLifeMs / 1000 };
    }),
    handle(contract.confirmPhone, async ({ caller, body, request, reply }) => {
      await confirmPhoneCode(deps, caller, { challenge: jarOf().challenge(request), code: body.code });
      jarOf().clearChallenge(reply);
      return {};
    }),
  ];
}

function securityEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getSecurity, () => securityOf(deps.db)),
    handle(contract.updateSecurity, async ({ caller, body }) => {
      await requireFresh(deps, caller);
      return requireSecondFactor(deps, caller, body.secondStepRequired);
    }),
    handle(contract.rotateKey, async ({ caller }) => {
      const { rewrapped, unopened } = await deps.secrets.rotate(deps.db, deps.clock.now());
      await recordAudit(deps.db, caller, { action: 'secrets.rotate', detail: { rewrapped, unopened } });
      return { rewrapped, unopened };
    }),
  ];
}
