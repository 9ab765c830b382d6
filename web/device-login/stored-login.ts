import type { DeviceLogin } from '../../contract/devices.ts';

const idKey = 'milkrun-device-id';
const loginKey = 'milkrun-device-login';

/** What the device keeps of its login, so that the screen says who it is without a network. */
export type StoredLogin = Pick<DeviceLogin, 'user' | 'deviceSession' | 'applications'>;

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isLogin(value: unknown): value is StoredLogin {
  if (!isRecord(value) || !isRecord(value.user) || !isRecord(value.deviceSession)) return false;
  const { user, deviceSession, applications } = value;
  return (
    [user.firstName, user.lastName, user.roleLabel].every(isText) &&
    [deviceSession.deviceId, deviceSession.deviceName, deviceSession.deviceType].every(isText) &&
    isText(deviceSession.routeDesignation) &&
    Array.isArray(applications) &&
    applications.every((one) => isRecord(one) && isText(one.applicationName) && isText(one.label))
  );
}

/** The login kept on this device; null without one. What cannot be read is discarded. */
export function recallLogin(): StoredLogin | null {
  const text = localStorage.getItem(loginKey);
  if (text === null) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (isLogin(parsed)) return parsed;
  } catch {
    // Cut off or of another program: worth nothing, like what has another shape.
  }
  forgetLogin();
  return null;
}

export function keepLogin(deviceId: string, { user, deviceSession, applications }: StoredLogin): void {
  try {
    localStorage.setItem(idKey, deviceId);
    localStorage.setItem(loginKey, JSON.stringify({ user, deviceSession, applications }));
  } catch {
    // Storage is closed or full: the device is signed in, it only cannot say so without a network.
  }
}

/** Keeps the device's name where it can be seen; it is made by the phone's own store. */
export function noteDeviceId(deviceId: string): void {
  try {
    if (localStorage.getItem(idKey) !== deviceId) localStorage.setItem(idKey, deviceId);
  } catch {
    // Storage is closed: the id stays in the phone's own store.
  }
}

export function forgetLogin(): void {
  localStorage.removeItem(idKey);
  localStorage.removeItem(loginKey);
}
