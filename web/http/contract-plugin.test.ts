import path from 'node:path';
import { expect, it } from 'vitest';
import { contractAddresses } from './contract-plugin.ts';

/** What the browser is given of a file of the contract. */
async function given(file: string): Promise<Record<string, unknown>> {
  const load = contractAddresses().load as (id: string) => Promise<string>;
  const code = await load(path.join(import.meta.dirname, '../../contract', file));
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

it('the browser knows of a call its address, whether it needs a session and whether it makes something new', async () => {
  const { createVehicle, updateVehicle } = await given('settings.ts');
  expect(createVehicle).toEqual({ method: 'POST', path: '/api/vehicles', once: true });
  expect(updateVehicle).toEqual({ method: 'PUT', path: '/api/vehicles/:id' });
  const { verifyCode } = await given('auth.ts');
  expect(verifyCode).toEqual({ method: 'POST', path: '/api/auth/verify-code', needs: 'public' });
});
