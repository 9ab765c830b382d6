import type { Manifest } from '../connector.ts';
import { environmentField } from '../environment.ts';

export const manifest: Manifest = {
  system: 'nayax',
  label: 'Nayax Core',
  basis:
    'Machines, sales and alerts come from Nayax’s published operational API (Lynx), notifications are checked by its published signatures; that merchant ID and hash code serve both is our reading.',
  fields: [
    {
      name: 'merchantId',
      label: 'Merchant ID',
      kind: 'text',
      required: 'Merchant ID is required',
      maxLength: 100,
      help: 'Your operator’s number in Nayax Core (actor ID); only its machines are read.',
    },
    {
      name: 'hashCode',
      label: 'Hash code',
      kind: 'secret',
      required: 'Hash code is required',
      help: 'A user token of Nayax Core (Account settings, User tokens). Notifications are checked with it too.',
    },
    environmentField('sandbox'),
    {
      name: 'apiEndpoint',
      label: 'API endpoint',
      kind: 'url',
      help: 'Only for another address than https://lynx.nayax.com/operational.',
    },
  ],
  resources: ['devices', 'sales', 'alerts'],
  everyMinutes: { devices: 60, sales: 15, alerts: 30 },
  backfills: false,
};
