import { AppError } from '../../domain/errors.ts';
import type { Env } from '../env.ts';
import { likeliestPlace } from './nominatim.ts';

/** Where an address is, in six decimals; a text is the reason why that is not known. */
export type FoundPoint = { latitude: string; longitude: string } | string;

/** Asks the operator's address search. Throws AppError where it does not answer. */
export type FindPoint = (address: string) => Promise<FoundPoint>;

const mostKept = 20_000;
const vagueLength = 80;

/**
 * Null where no address search is set up. A file is looked at before it is imported: what was answered is kept by this
 * process, so that it is asked for once.
 */
export function pointFinder({ geocoderUrl: server }: Pick<Env, 'geocoderUrl'>): FindPoint | null {
  if (server === null) return null;
  const known = new Map<string, FoundPoint>();
  return async (address) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    const answer = await ask(server, address);
    const [oldest] = known.keys();
    if (known.size >= mostKept && oldest !== undefined) known.delete(oldest);
    known.set(address, answer);
    return answer;
  };
}

async function ask(server: string, address: string): Promise<FoundPoint> {
  try {
    const found = await likeliestPlace(server, address);
    if (!found) return 'its address was not found';
    const { name, latitude, longitude } = found.place;
    return found.isVague ? `of its address only '${name.slice(0, vagueLength)}' was found` : { latitude, longitude };
  } catch (error) {
    throw new AppError(
      'unavailable',
      'The address search does not answer. Try again later, or add columns of latitude and longitude.',
      { elsewhere: true, cause: error },
    );
  }
}
