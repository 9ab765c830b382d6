import type { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Answers on the public range, but to machines of its own data centre only: what a cloud tells its guests. */
const hostServices = new Set(['168.63.129.16']);
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * True for an address anybody on the internet may have. Loopback, private, link-local (where clouds keep their
 * metadata), shared, multicast and reserved ones are not, nor IPv6 forms that carry an IPv4 address inside.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return !hostServices.has(address.toString());
  return (address as ipaddr.IPv6).match(globalUnicast as [ipaddr.IPv6, number]);
}

/** Reads the addresses of a name; tests hand in one that lies. */
export type Resolve = typeof systemLookup;

export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/**
 * The look-up of a connection: resolves a name once and hands on only addresses that were checked, so that a name which
 * answers differently the next time gains nothing. One bad address among good ones refuses all.
 */
export function checkedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const bad = addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address));
      if (bad) return callback(new AddressRefused('not a public address'), '', 0);
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}
