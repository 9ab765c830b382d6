import { buildUser } from './factories.ts';
import type { Person, TestApp } from './test-app.ts';

/** Lets a second pass, as between two acts of a person: of two counts in one instant either may win. */
export function passSecond({ deps, setNow }: TestApp): void {
  setNow(new Date(deps.clock.now().getTime() + 1000));
}

/** One signed-in person of each role; the worker belongs to a route designation. */
export async function oneOfEachRole(
  { as, deps }: TestApp,
  designation: string,
): Promise<{ admin: Person; manager: Person; worker: Person; workerId: number }> {
  const admin = await buildUser(deps.db, { role: 'admin' });
  const manager = await buildUser(deps.db, { role: 'route_manager', firstName: 'Mary', lastName: 'Manager' });
  const worker = await buildUser(deps.db, { role: 'field_worker', routeDesignation: designation });
  return {
    admin: await as(admin.id),
    manager: await as(manager.id),
    worker: await as(worker.id),
    workerId: worker.id,
  };
}
