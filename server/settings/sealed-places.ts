/**
 * Every column that holds sealed text, so that a new key reaches all of it. `key` is the column whose value was given as
 * `row` when sealing. A feature that seals adds its line here.
 */
export type SealedPlace = { table: string; column: string; key: string };

export const sealedPlaces: readonly SealedPlace[] = [
  { table: 'second_factors', column: 'secret', key: 'id' },
  { table: 'integration_configs', column: 'secrets', key: 'id' },
  { table: 'integration_configs', column: 'previous_secrets', key: 'id' },
  { table: 'integration_configs', column: 'tokens', key: 'id' },
  { table: 'phone_seal_keys', column: 'private_key', key: 'id' },
  { table: 'lightspeed_sign_ins', column: 'settings', key: 'state_hash' },
];
