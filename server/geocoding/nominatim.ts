import { z } from 'zod';

/**
 * An address search that speaks as Nominatim does: GET /search?q=...&format=jsonv2&limit=5. The address is the operator's own
 * setting, so it may stand inside their network.
 */

const timeoutMs = 10_000;
const most = 5;
/** Six decimals are a tenth of a metre. */
const decimals = 6;

const degrees = (limit: number) =>
  z.coerce
    .number()
    .min(-limit)
    .max(limit)
    .transform((value) => value.toFixed(decimals));
const found = z.array(
  z.object({ display_name: z.string(), lat: degrees(90), lon: degrees(180), place_rank: z.number().optional() }),
);
/** Streets and what lies on them; what ranks lower is a quarter, a town or larger. */
const streetRank = 26;

export type FoundPlace = { name: string; latitude: string; longitude: string };

/** Throws what went wrong; an address that is nowhere is an empty list. */
export async function searchAddress(server: string, address: string): Promise<FoundPlace[]> {
  return (await search(server, address)).map(toPlace);
}

/** The likeliest place, and whether it is no more than the town or quarter; null: the address is nowhere. */
export async function likeliestPlace(
  server: string,
  address: string,
): Promise<{ place: FoundPlace; isVague: boolean } | null> {
  const [first] = await search(server, address);
  return first ? { place: toPlace(first), isVague: (first.place_rank ?? streetRank) < streetRank } : null;
}

async function search(server: string, address: string): Promise<z.output<typeof found>> {
  const url = new URL(`${server.replace(/\/+$/, '')}/search`);
  for (const [name, value] of Object.entries({ q: address, format: 'jsonv2', limit: String(most) })) {
    url.searchParams.set(name, value);
  }
  const reply = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json', 'user-agent': 'Milkrun' },
  });
  if (!reply.ok) throw new Error(`the address search answered ${reply.status}`);
  return found.parse(await reply.json());
}

const toPlace = ({ display_name, lat, lon }: z.output<typeof found>[number]): FoundPlace => ({
  ...{ name: display_name, latitude: lat, longitude: lon },
});
