import type { Manifest } from '../connector.ts';
import { environmentField } from '../environment.ts';

/** The form of a configuration, and what its connector can do. */
export const manifest: Manifest = {
  system: 'cantaloupe',
  label: 'Cantaloupe',
  basis:
    'Reports arrive by the Report Register’s HTTP POST transport, as seen in real deliveries; the pull API is our own and not published by the vendor.',
  fields: [
    {
      name: 'apiKey',
      label: 'Sign-in (API key)',
      kind: 'secret',
      required: 'Sign-in is required',
      help: 'User name of the transport',
    },
    {
      name: 'apiSecret',
      label: 'Password (API secret)',
      kind: 'secret',
      required: 'Password is required',
      help: 'Password of the transport',
    },
    environmentField('sandbox'),
    {
      name: 'webhookUrl',
      label: 'Webhook URL',
      kind: 'url',
      theyCall: true,
      help: 'The address entered in the transport, where it is not the one shown below',
    },
    {
      name: 'apiEndpoint',
      label: 'Pull address',
      kind: 'url',
      help: 'Production only, and only with a partner contract: no address is published by the vendor',
    },
    {
      name: 'timeZone',
      label: 'Time zone of the devices',
      kind: 'zone',
      maxLength: 50,
      help: 'Reports carry local times. Empty: the time zone of the operator. For example America/Chicago',
    },
  ],
  resources: ['devices', 'sales'],
  everyMinutes: { devices: 360, sales: 15 },
  backfills: true,
};
