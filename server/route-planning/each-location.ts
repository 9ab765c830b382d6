import { AppError } from '../../domain/errors.ts';
import { type LocationRef, locationKey } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import { machineInScope, marketInScope, type Scope } from '../scope/service.ts';
import { findLocations, type PlannedLocation } from './queries.ts';

/** Every one of these locations, in this order and each once. The refusal names those that are gone, so that they can be taken out. */
export async function eachLocation(db: Db, scope: Scope, refs: readonly LocationRef[]): Promise<PlannedLocation[]> {
  const unique = new Map(refs.map((ref) => [locationKey(ref), ref]));
  const found = await findLocations(db, [...unique.values()], {
    markets: marketInScope(scope),
    machines: machineInScope(scope),
  });
  const byKey = new Map(found.map((location) => [locationKey(location), location]));
  const gone = [...unique.keys()].filter((key) => !byKey.has(key));
  if (gone.length > 0) {
    const sentence =
      gone.length === 1
        ? 'A chosen location does not exist any more. Choose again.'
        : `${gone.length} chosen locations do not exist any more. Choose again.`;
    throw new AppError('not-found', sentence, {
      fields: Object.fromEntries(gone.map((key) => [key, 'This location does not exist any more'])),
    });
  }
  return [...unique.keys()].flatMap((key) => byKey.get(key) ?? []);
}
