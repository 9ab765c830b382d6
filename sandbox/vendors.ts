import { cantaloupe } from './cantaloupe/cantaloupe.ts';
import type { Fleet, Place } from './fleet.ts';
import { lightspeed } from './lightspeed/vendor.ts';
import { momaStandIn } from './moma/vendor.ts';
import { namaVdi } from './nama-vdi/vendor.ts';
import { nayaxStandIn } from './nayax/vendor.ts';
import type { Vendor, World } from './vendor.ts';

/** Two machines of three have a Nayax device; the others report to Cantaloupe. */
const hasNayax = (place: Place): boolean => place.site.id % 3 !== 0;

/** Every stand-in: one line each. */
export const vendors: readonly Vendor[] = [
  lightspeed,
  cantaloupe,
  nayaxStandIn(hasNayax),
  momaStandIn(hasNayax),
  namaVdi,
];

/** A market has one till: where all systems stand beside one operator, each of the two that sell at markets has its own. */
export const vendorsBesideEachOther: readonly Vendor[] = vendors.map((vendor) => {
  if (vendor === lightspeed) return atMarkets(vendor, ({ site }) => site.id % 2 === 1);
  if (vendor === namaVdi) return atMarkets(vendor, ({ site }) => site.id % 2 === 0);
  return vendor;
});

function atMarkets(vendor: Vendor, has: (place: Place) => boolean): Vendor {
  const narrowed = new WeakMap<Fleet, Fleet>();
  const fleetOf = (fleet: Fleet): Fleet => {
    const found = narrowed.get(fleet) ?? { ...fleet, markets: fleet.markets.filter(has) };
    narrowed.set(fleet, found);
    return found;
  };
  const within = (world: World): World => Object.create(world, { fleet: { get: () => fleetOf(world.fleet) } });
  const { push } = vendor;
  return {
    ...vendor,
    answer: (request, world) => vendor.answer(request, within(world)),
    ...(push ? { push: (world, wish) => push(within(world), wish) } : {}),
  };
}
