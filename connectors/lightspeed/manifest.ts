import type { Manifest } from '../connector.ts';

export const system = 'lightspeed' as const;

/** The settings of a connection. Address and tokens come from the vendor at the end of the sign-in, not from a form. */
export const manifest: Manifest = {
  system,
  label: 'Lightspeed Retail',
  basis:
    'Speaks the published X-Series REST API 2.0: sign-in at Lightspeed, version cursors, signed webhooks. The list of sale statuses is from public client code.',
  fields: [
    {
      name: 'clientId',
      label: 'Client ID',
      kind: 'text',
      required: 'Client ID is required',
      help: 'From your application in the Lightspeed developer portal.',
    },
    {
      name: 'clientSecret',
      label: 'Client secret',
      kind: 'secret',
      required: 'Client secret is required',
    },
    {
      name: 'domainPrefix',
      label: 'Store',
      kind: 'text',
      maxLength: 63,
      help: 'The first part of the store’s address, as in acme.retail.lightspeed.app. Leave it empty: Lightspeed tells it when you connect.',
    },
    {
      name: 'customerDetails',
      label: 'Fetch names and e-mail addresses of customers',
      kind: 'switch',
      initial: false,
      help: 'Off: customers stay unknown here.',
    },
    {
      name: 'unsignedWebhooks',
      label: 'Accept unsigned webhooks',
      kind: 'switch',
      initial: false,
      help: 'Only for webhooks made by hand in the back office, which Lightspeed does not sign. They can only cause a look-up.',
    },
  ],
  resources: ['devices', 'products', 'stock', 'sales'],
  everyMinutes: { devices: 720, products: 60, stock: 30, sales: 5 },
  backfills: true,
};
