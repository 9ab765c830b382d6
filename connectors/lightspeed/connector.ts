import type { Connector } from '../connector.ts';
import { getPage } from './client.ts';
import { manifest } from './manifest.ts';
import { oauth } from './oauth.ts';
import { pull } from './pulls.ts';
import { register, webhook } from './webhook.ts';

/**
 * Lightspeed Retail (X-Series, formerly Vend), API 2.0. Outlets are markets. Every record has a version from one counter
 * of the store, so a walk is resumed where it stood and reads nothing twice.
 */
export const lightspeed: Connector = {
  manifest,
  testConnection: async (context) => {
    const { records } = await getPage(context, 'outlets', { pageSize: 200 });
    const outlets = records.length === 1 ? '1 outlet' : `${records.length} outlets`;
    return { detail: `Connected with ${context.settings.domainPrefix}, which has ${outlets}.` };
  },
  pull,
  webhook: { ...webhook, register },
  oauth,
};
