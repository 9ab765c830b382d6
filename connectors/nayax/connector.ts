import type { VendorResource } from '../../domain/integration.ts';
import type { Connector, PullRequest, VendorContext } from '../connector.ts';
import { baseOf, lynxClient, setting } from '../lynx/client.ts';
import { pullAlerts, pullMachines, pullSales, type Reach } from '../lynx/pulls.ts';
import { manifest } from './manifest.ts';
import { webhook } from './webhook.ts';

/** Nayax Core: pulled from Lynx with the hash code as bearer token; notifications by webhook. */
export const nayax: Connector = { manifest, testConnection, pull, webhook };

function reach(context: VendorContext): Reach {
  const { settings } = context;
  const access = {
    system: 'nayax' as const,
    label: 'Nayax Core',
    base: baseOf(setting(settings, 'apiEndpoint'), context.sandboxUrl, 'nayax', settings.environment),
    token: (renewed: boolean) => Promise.resolve(renewed ? null : setting(settings, 'hashCode')),
    refused:
      'Nayax Core refused the hash code. Make a new user token in Nayax Core (Account settings, User tokens) and enter it as the hash code.',
  };
  const merchantId = setting(settings, 'merchantId') ?? '';
  // An actor has a number; the merchant id of a web shop may be a name, which filters nothing.
  const actorId = /^\d{1,20}$/.test(merchantId) ? merchantId : null;
  return { system: 'nayax', lynx: lynxClient(access, context), actorId, context };
}

async function testConnection(context: VendorContext) {
  const { lynx, actorId } = reach(context);
  const machines = await lynx.machines({ offset: 0, limit: 1, actorId });
  if (machines.length) return { detail: 'Nayax Core answers and shows machines.' };
  return { detail: 'Nayax Core answers but shows no machine. Check the merchant ID.' };
}

function pull(resource: VendorResource, request: PullRequest, context: VendorContext) {
  if (resource === 'sales') return pullSales(reach(context), request);
  if (resource === 'alerts') return pullAlerts(reach(context), request);
  return pullMachines(reach(context), request);
}
