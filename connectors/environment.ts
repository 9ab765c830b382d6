import type { SettingsField } from '../domain/integration.ts';

type Environment = 'sandbox' | 'production';

const label: Record<Environment, string> = { sandbox: 'Sandbox', production: 'Production' };

/** Whether a configuration speaks to the vendor or to the stand-in: one field switches a connection from trial to real. */
export const environmentField = (initial: Environment): SettingsField => ({
  name: 'environment',
  label: 'Environment',
  kind: 'choice',
  options: [initial, initial === 'sandbox' ? ('production' as const) : ('sandbox' as const)].map((value) => ({
    value,
    label: label[value],
  })),
  initial,
});
