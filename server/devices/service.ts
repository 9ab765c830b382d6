import { notFound } from '../../domain/errors.ts';
import { type Actor, recordAudit } from '../audit/service.ts';
import { switchOffDevice } from '../auth/service.ts';
import type { Deps } from '../deps.ts';
import { publish } from '../live/hub.ts';
import { deleteOldCodes, endDevice, findDevice } from './queries.ts';

export { deviceLoginsOf, forgetDevicesOf, purgeDeviceTraces } from './forget.ts';
export { takePairingCode } from './pairing.ts';
export { renameDeviceDesignation } from './queries.ts';

/** Shuts a device out at once: the next call it makes is refused, its event stream ends. */
export async function revokeDevice(deps: Deps, actor: Actor, id: number): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const device = await findDevice(tx, id);
    if (!device) throw notFound('device');
    await endDevice(tx, id);
    await switchOffDevice(tx, device.deviceId);
    await recordAudit(tx, actor, {
      action: 'device.revoke',
      objectType: 'device',
      objectId: device.deviceId,
      detail: { userId: device.userId, isActive: [device.isActive, false] },
    });
    await publish(tx, { topic: 'people', routes: [] });
  });
}

/** Removes pairing codes that mean nothing any more. */
export function purgePairingCodes(deps: Deps): Promise<void> {
  return deleteOldCodes(deps.db, deps.clock.now());
}
