import type { Manifest } from '../connector.ts';
import { environmentField } from '../environment.ts';

const toggle = (name: string, label: string, help: string) =>
  ({ name, label, kind: 'switch', initial: true, help }) as const;

/** The form of a configuration, and what its connector can do. */
export const manifest: Manifest = {
  system: 'nama_vdi',
  label: 'NAMA VDI 2.0',
  basis:
    'Version 1.0 is the published VMS-MMS exchange; version 2.0 is our reading of its announcement, with document types of our own marked x-. No conformity is certified.',
  fields: [
    {
      name: 'vmsSystemId',
      label: 'VMS System ID',
      kind: 'text',
      required: 'VMS System ID is required',
      maxLength: 64,
      help: 'Our provider id; the other side signs in with it',
    },
    {
      name: 'mmsSystemId',
      label: 'MMS System ID',
      kind: 'text',
      maxLength: 64,
      help: 'Provider id of the other side, with /operator where it names one. When set, others are refused',
    },
    { name: 'apiEndpoint', label: 'API Endpoint', kind: 'url', required: 'API Endpoint is required' },
    {
      name: 'apiKey',
      label: 'API Key',
      kind: 'secret',
      help: 'Password of both directions; without one nothing can be sent to us',
    },
    {
      name: 'version',
      label: 'Version',
      kind: 'choice',
      initial: '2.0',
      options: [
        { value: '2.0', label: '2.0' },
        { value: '1.0', label: '1.0 (legacy)' },
      ],
    },
    environmentField('production'),
    toggle('enableDexData', 'DEX data', 'Files of vending machines'),
    toggle('enableTransactionData', 'Transaction data', 'Sales, account deposits and cash collections'),
    toggle('enableOperationalData', 'Operational data', 'Kiosks, machines and alerts'),
  ],
  resources: ['devices', 'sales', 'alerts'],
  everyMinutes: { devices: 360, sales: 15, alerts: 15 },
  backfills: false,
};
