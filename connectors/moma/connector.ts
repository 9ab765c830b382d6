import type { VendorResource } from '../../domain/integration.ts';
import type { Connector, PullRequest, VendorContext } from '../connector.ts';
import { baseOf, lynxClient, setting } from '../lynx/client.ts';
import { pullAlerts, pullMachines, pullSales, pullStock, type Reach } from '../lynx/pulls.ts';
import { manifest } from './manifest.ts';
import { issuedToken } from './token.ts';

/** MoMa 2.0: machines, stock, sales and alerts, through the Nayax Core operational API. */
export const moma: Connector = { manifest, testConnection, pull };

function reach(context: VendorContext): Reach {
  const { settings } = context;
  const secret = setting(settings, 'apiSecret');
  const access = {
    system: 'moma' as const,
    label: 'MoMa 2.0',
    base: baseOf(setting(settings, 'baseUrl'), context.sandboxUrl, 'moma', settings.environment),
    token: (renewed: boolean) =>
      secret ? issuedToken(context, secret, renewed) : Promise.resolve(renewed ? null : setting(settings, 'apiKey')),
    refused: secret
      ? 'MoMa 2.0 refused the token made with the API secret. Make a new refresh token in Nayax Core and enter it as the API secret.'
      : 'MoMa 2.0 refused the API key. Make a new user token in Nayax Core (Account settings, User tokens) and enter it as the API key.',
  };
  return { system: 'moma', lynx: lynxClient(access, context), actorId: null, context };
}

async function testConnection(context: VendorContext) {
  const { lynx } = reach(context);
  const machines = await lynx.machines({ offset: 0, limit: 1, actorId: null });
  return {
    detail: machines.length ? 'MoMa 2.0 answers and shows machines.' : 'MoMa 2.0 answers but shows no machine.',
  };
}

function pull(resource: VendorResource, request: PullRequest, context: VendorContext) {
  if (resource === 'stock') return pullStock(reach(context), request);
  if (resource === 'sales') return pullSales(reach(context), request);
  if (resource === 'alerts') return pullAlerts(reach(context), request);
  return pullMachines(reach(context), request);
}
