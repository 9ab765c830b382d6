import { eq } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { RouteInput } from '../../domain/route.ts';
import type { Db } from '../db/database.ts';
import { users } from '../people/tables.ts';
import { findDepot, findVehicle } from './queries.ts';

type Crew = Pick<RouteInput, 'driverId' | 'vehicleId' | 'depotId'>;

/** Refuses a route for a driver, a vehicle or a depot that nobody can choose: it would be nobody's. */
export async function expectKnownCrew(db: Db, { driverId, vehicleId, depotId }: Crew): Promise<void> {
  if (driverId) await expectDriver(db, driverId);
  if (vehicleId && !(await findVehicle(db, vehicleId))) throw gone('vehicleId', 'vehicle');
  if (depotId && !(await findDepot(db, depotId))) throw gone('depotId', 'depot');
}

async function expectDriver(db: Db, id: number): Promise<void> {
  const [driver] = await db.select({ isActive: users.isActive }).from(users).where(eq(users.id, id));
  if (!driver) throw gone('driverId', 'driver');
  if (driver.isActive) return;
  const sentence = 'The chosen driver was deactivated. Choose again.';
  throw new AppError('conflict', sentence, { fields: { driverId: sentence } });
}

function gone(field: string, noun: string): AppError {
  const sentence = `The chosen ${noun} does not exist any more. Choose again.`;
  return new AppError('not-found', sentence, { fields: { [field]: sentence } });
}
