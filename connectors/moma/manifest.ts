import type { Manifest } from '../connector.ts';
import { environmentField } from '../environment.ts';

export const manifest: Manifest = {
  system: 'moma',
  label: 'MoMa 2.0',
  basis:
    'Read through the Nayax Core operational API (Lynx), which the MoMa app itself works on; Nayax publishes no interface of MoMa’s own.',
  fields: [
    {
      name: 'apiKey',
      label: 'API key',
      kind: 'secret',
      required: 'API key is required',
      help: 'A user token of Nayax Core (Account settings, User tokens).',
    },
    {
      name: 'apiSecret',
      label: 'API secret',
      kind: 'secret',
      help: 'Only for tokens you manage yourself: the refresh token, exchanged for a token of 24 hours.',
    },
    environmentField('sandbox'),
    {
      name: 'baseUrl',
      label: 'Base URL',
      kind: 'url',
      help: 'Only for another address than https://lynx.nayax.com/operational.',
    },
  ],
  resources: ['devices', 'stock', 'sales', 'alerts'],
  everyMinutes: { devices: 60, stock: 120, sales: 15, alerts: 30 },
  backfills: false,
};
