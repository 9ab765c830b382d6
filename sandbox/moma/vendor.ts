import { refusal } from '../nayax/access.ts';
import { answerLynx, type Serves } from '../nayax/lynx.ts';
import { lynxCalls } from '../nayax/vendor.ts';
import type { Vendor } from '../vendor.ts';

const account = { token: 'sandbox-user-token', refreshToken: 'sandbox-refresh-token' };

/** Without the API secret, which would take the place of the key. */
export const credentials = { apiKey: account.token };
export const { refreshToken } = account;

/** MoMa 2.0 works on the same operational API, so this is its own door to the same machines, with its own faults. */
export function momaStandIn(serves: Serves): Vendor {
  return {
    prefix: 'moma',
    credentials,
    calls: [
      ...lynxCalls,
      'GET /operational/v1/machines/*/machineProducts',
      'GET /operational/v1/machines/*/pickList',
      'POST /v1/issue-access-token',
    ],
    refuse: refusal,
    answer: (request, world) => answerLynx(request, world, { serves, account }),
  };
}
