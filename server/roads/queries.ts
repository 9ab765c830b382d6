import { eq } from 'drizzle-orm';
import type { EstimateFit, TravelEstimate } from '../../domain/travel-estimate.ts';
import { defaultEstimate } from '../../domain/travel-estimate.ts';
import type { Db } from '../db/database.ts';
import { travelEstimates } from './tables.ts';

export async function findFit(db: Db): Promise<typeof travelEstimates.$inferSelect | undefined> {
  const [row] = await db.select().from(travelEstimates).where(eq(travelEstimates.id, 1));
  return row;
}

/** What completed routes taught, else the usual figures. */
export async function findEstimate(db: Db): Promise<TravelEstimate> {
  const row = await findFit(db);
  if (!row) return defaultEstimate;
  return { detourFactor: row.detourFactor, speedsKmh: [row.townKmh, row.aroundKmh, row.beyondKmh] };
}

export async function saveFit(db: Db, fit: EstimateFit, at: Date): Promise<void> {
  const [townKmh, aroundKmh, beyondKmh] = fit.estimate.speedsKmh;
  const values = {
    detourFactor: fit.estimate.detourFactor,
    townKmh,
    aroundKmh,
    beyondKmh,
    legs: fit.legs,
    measuredLegs: fit.measuredLegs,
    errorBeforeMin: fit.errorBeforeMin,
    errorAfterMin: fit.errorAfterMin,
    fittedAt: at,
  };
  await db
    .insert(travelEstimates)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({ target: travelEstimates.id, set: values });
}

export async function deleteFit(db: Db): Promise<void> {
  await db.delete(travelEstimates).where(eq(travelEstimates.id, 1));
}
