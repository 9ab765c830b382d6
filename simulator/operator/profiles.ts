export const profileNames = ['S', 'M', 'L', 'XL'] as const;
export type ProfileName = (typeof profileNames)[number];

export type Profile = {
  machines: number;
  markets: number;
  /** Route designations: territories with a driver each. */
  designations: number;
  depots: number;
  /** Days of history where nobody says otherwise. */
  days: number;
  /** Of the list of places, how many this operator serves. */
  places: number;
  /** Sales on an average day: few at a large operator, so that a database of its size still fills in minutes. */
  machineSalesPerDay: number;
  marketSalesPerDay: number;
  /** Working days between two services of a location. */
  serviceEveryDays: number;
};

export const profiles: Record<ProfileName, Profile> = {
  S: {
    machines: 50,
    markets: 2,
    designations: 3,
    depots: 1,
    days: 365,
    places: 20,
    machineSalesPerDay: 7.5,
    marketSalesPerDay: 46,
    serviceEveryDays: 2,
  },
  M: {
    machines: 1_500,
    markets: 60,
    designations: 30,
    depots: 3,
    days: 90,
    places: 62,
    machineSalesPerDay: 2.4,
    marketSalesPerDay: 20,
    serviceEveryDays: 5,
  },
  L: {
    machines: 16_000,
    markets: 300,
    designations: 150,
    depots: 6,
    days: 30,
    places: 92,
    machineSalesPerDay: 2.4,
    marketSalesPerDay: 20,
    serviceEveryDays: 10,
  },
  XL: {
    machines: 50_000,
    markets: 1_000,
    designations: 300,
    depots: 9,
    days: 30,
    places: 92,
    machineSalesPerDay: 2.4,
    marketSalesPerDay: 20,
    serviceEveryDays: 10,
  },
};

/** Names of the designations: these three are in every profile. */
const namedDesignations = ['101', '202', '505'] as const;

/** As many names as wanted, in rising order, the three known ones among them. */
export function designationNames(count: number): string[] {
  const names = new Set<string>(namedDesignations);
  for (let n = 110; names.size < count; n += 10) names.add(String(n + 1));
  return [...names].sort((a, b) => Number(a) - Number(b));
}
