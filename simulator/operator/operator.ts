import { addDays } from '../../domain/time.ts';
import { dayOf, timeZone } from '../calendar.ts';
import { at } from '../random.ts';
import { catalogue, type Product } from './catalogue.ts';
import { type Person, planPeople } from './people.ts';
import { depotSites } from './places.ts';
import { designationNames, type Profile, type ProfileName, profiles } from './profiles.ts';
import { planSites, type Site } from './sites.ts';
import { roadKm, type Tour, toursOf } from './tours.ts';

type Depot = { id: number; name: string; address: string; lat: number; lng: number };
type Vehicle = { id: number; name: string; licensePlate: string; depotId: number; capacityTotes: number };

/** A driver's territory: where it starts from, who drives it in what, and its days. */
type Territory = { designation: string; depot: Depot; vehicle: Vehicle; driver: Person; tours: Tour[] };

/** A whole operator but its history. The same profile and seed give the same one. */
export type OperatorPlan = {
  name: string;
  timeZone: string;
  profileName: ProfileName;
  profile: Profile;
  seed: number;
  people: Person[];
  products: readonly Product[];
  depots: Depot[];
  territories: Territory[];
  sites: Site[];
};

/** Lays out an operator: territories, people, vehicles, sites and the days' tours. */
export function planOperator(profileName: ProfileName, seed: number): OperatorPlan {
  const profile = profiles[profileName];
  const designations = designationNames(profile.designations);
  const sites = planSites(profile, seed);
  const people = planPeople(designations);
  const depots = depotSites.slice(0, profile.depots).map((site, index) => ({ id: index + 1, ...site }));
  const groups = byDesignation(sites);
  const territories = designations.map((designation, index): Territory => {
    const own = groups.get(designation) ?? [];
    const depot = nearestDepot(depots, own);
    return {
      designation,
      depot,
      vehicle: buildVehicle(index + 1, designation, depot.id),
      driver: at(people, index + 2),
      tours: toursOf(designation, own, depot, profile.serviceEveryDays),
    };
  });
  return {
    name: 'Schuylkill Vending Company',
    timeZone,
    profileName,
    profile,
    seed,
    people,
    products: catalogue,
    depots,
    territories,
    sites,
  };
}

function byDesignation(sites: readonly Site[]): Map<string, Site[]> {
  const groups = new Map<string, Site[]>();
  for (const site of sites) {
    const group = groups.get(site.designation) ?? [];
    groups.set(site.designation, group);
    group.push(site);
  }
  return groups;
}

function nearestDepot(depots: readonly Depot[], sites: readonly Site[]): Depot {
  const middle = sites[Math.floor(sites.length / 2)];
  const first = at(depots, 0);
  if (!middle) return first;
  return depots.reduce(
    (best, depot) => (roadKm(depot, middle.point) < roadKm(best, middle.point) ? depot : best),
    first,
  );
}

function buildVehicle(id: number, designation: string, depotId: number): Vehicle {
  return {
    id,
    name: `Van ${designation}`,
    licensePlate: `ZV${String(1_000 + id * 7)}`,
    depotId,
    capacityTotes: 40 + (id % 3) * 10,
  };
}

export type Span = { from: string; until: string };

/** The days of history: as many as wanted, up to a last one. */
export function spanOf(until: string, days: number): Span {
  return { from: addDays(until, 1 - days), until };
}

export function spanBounds(span: Span): { fromMs: number; toMs: number } {
  return { fromMs: dayOf(span.from).startMs, toMs: dayOf(span.until).endMs - 1 };
}
