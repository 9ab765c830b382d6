import { type VendorContext, VendorError } from '../connector.ts';
import { system } from './manifest.ts';

/** What a store's address may begin with. Anything else would let a stranger choose the host that gets the secret. */
const prefixForm = /^[a-z0-9-]{1,63}$/;

/** Whether a store’s address may begin so. */
export const isPrefix = (text: string): boolean => prefixForm.test(text);

/** Origin of a store: the vendor's own, or the sandbox where this configuration is to use it. */
export function storeOrigin(prefix: string, sandboxUrl: string | null): string {
  if (!isPrefix(prefix)) {
    throw new VendorError(system, 'auth', 'The name of the store is not one that Lightspeed gives. Connect again.');
  }
  if (sandboxUrl !== null) return `${sandboxUrl.replace(/\/$/, '')}/lightspeed/${prefix}`;
  return `https://${prefix}.retail.lightspeed.app`;
}

/** Origin of the store this configuration is connected with. Throws VendorError 'reconnect' before it is. */
export function apiBase({ settings, sandboxUrl }: VendorContext): string {
  const { domainPrefix } = settings;
  if (typeof domainPrefix !== 'string' || domainPrefix === '') {
    throw new VendorError(system, 'reconnect', 'Lightspeed is not connected yet: press Connect.');
  }
  return storeOrigin(domainPrefix, sandboxUrl);
}
