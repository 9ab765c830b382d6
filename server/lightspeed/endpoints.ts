import * as contract from '../../contract/lightspeed.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { requireConfig } from '../integrations/service.ts';
import { pageOutlets, pageProducts, pageSales } from './queries.ts';
import { beginSignIn, endSignIn, redirectUriOf } from './sign-in.ts';

const originOf = ({ protocol, host }: { protocol: string; host: string }): string => `${protocol}://${host}`;

export function lightspeedEndpoints(deps: Deps): Handled[] {
  const known = (id: number) => requireConfig(deps.db, id, 'lightspeed');
  return [
    handle(contract.connectLightspeed, ({ body, caller, request }) =>
      beginSignIn(deps, caller, body, originOf(request)),
    ),
    handle(contract.lightspeedCallback, async ({ query, caller, reply }) => {
      const outcome = await endSignIn(deps, caller, query);
      const told = new URLSearchParams();
      if ('problem' in outcome) told.set('problem', outcome.problem);
      else told.set('connected', String(outcome.configId));
      // What Lightspeed put into the address stays out of the history and of other sites' logs.
      await reply
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect(`/integrations?${told}`);
      return {};
    }),
    handle(contract.lightspeedRedirect, ({ request }) => ({ redirectUri: redirectUriOf(deps, originOf(request)) })),
    handle(contract.pageLightspeedOutlets, async ({ query }) => {
      await known(query.configId);
      return pageOutlets(deps.db, query);
    }),
    handle(contract.pageLightspeedProducts, async ({ query }) => {
      await known(query.configId);
      return pageProducts(deps.db, query);
    }),
    handle(contract.pageLightspeedSales, async ({ query }) => {
      await known(query.configId);
      return pageSales(deps.db, query);
    }),
  ];
}
