import { findAddress } from '../../contract/geocoding.ts';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { searchAddress } from './nominatim.ts';

const silent = 'The address search does not answer. Pick the place on the map instead.';

export const geocodingEndpoints = (deps: Deps) => [
  handle(findAddress, async ({ query }) => {
    const server = deps.env.geocoderUrl;
    if (!server) throw new AppError('not-found', 'No address search is set up. Pick the place on the map instead.');
    try {
      return { places: await searchAddress(server, query.address) };
    } catch (error) {
      deps.log.warn({ err: error }, 'address search failed');
      throw new AppError('unavailable', silent, { elsewhere: true });
    }
  }),
];
