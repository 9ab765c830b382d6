import { openSealKeys } from '../../contract/phone-seals.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { keysFor } from './service.ts';

export const phoneSealEndpoints = (deps: Deps) => [
  handle(openSealKeys, async ({ caller, body }) => ({
    keys: await keysFor(deps.db, deps.secrets, { userId: caller.userId, names: body.names }),
  })),
];
