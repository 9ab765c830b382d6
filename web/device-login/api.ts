import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  checkPairingCode,
  type DeviceLogin,
  type DeviceRow,
  type DeviceType,
  deviceLogin,
  deviceLogout,
  getDevice,
  issuePairingCode,
  listPairingChoices,
  pageDevices,
  revokeDevice,
} from '../../contract/devices.ts';
import { leaving, settleSignOut } from '../auth/api.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { noteIn } from '../offline/may-be-in.ts';
import { noteSignOutTold } from '../offline/session.ts';
import { useOffline } from '../offline/use-offline.ts';
import { toast } from '../ui/toasts/toast.ts';

/** What this browser's device is to the server; without an answer it is asked for again by hand. */
export const useDeviceState = () => useQuery(queryFor(getDevice, {}));

export const deviceTypes: readonly { value: DeviceType; label: string }[] = [
  { value: 'tablet', label: 'Tablet' },
  { value: 'smartphone', label: 'Smartphone' },
  { value: 'pos_terminal', label: 'POS Terminal' },
  { value: 'scanner', label: 'Scanner' },
];

export function typeLabel(type: DeviceType): string {
  return deviceTypes.find(({ value }) => value === type)?.label ?? type;
}

export const useCheckCode = () =>
  useMutation({ mutationFn: (pairingCode: string) => call(checkPairingCode, { body: { pairingCode } }) });

type Position = { latitude: number; longitude: number } | null;

const longestWaitMs = 5_000;

/** Where the device is, if it may say so soon; a refusal is an answer too. */
function position(): Promise<Position> {
  return new Promise((resolve) => {
    if (!('geolocation' in navigator)) return resolve(null);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ latitude: coords.latitude, longitude: coords.longitude }),
      () => resolve(null),
      { timeout: longestWaitMs, maximumAge: 60_000 },
    );
  });
}

type Form = {
  deviceId: string;
  deviceName: string;
  deviceType: DeviceType;
  routeDesignation: string;
  pairingCode: string | null;
};

export function useDeviceLogin() {
  const offline = useOffline();
  return useMutation({
    mutationFn: async ({ pairingCode, ...form }: Form): Promise<DeviceLogin> => {
      await settleSignOut(offline);
      const login = await call(deviceLogin, {
        body: {
          ...form,
          userAgent: navigator.userAgent,
          ipAddress: null,
          location: await position(),
          ...(pairingCode === null ? {} : { pairingCode }),
        },
      });
      noteIn(true);
      await noteSignOutTold(offline);
      return login;
    },
  });
}

/** Whoever logs the device out stands at its door again: the session that ends by it is no reason to sign in. */
export const deviceDoor = '/device-login';

export const useDeviceLogout = () =>
  useMutation({
    mutationFn: async (deviceId: string) => {
      const stay = leaving(deviceDoor);
      try {
        return await call(deviceLogout, { body: { deviceId } });
      } catch (error) {
        stay();
        throw error;
      }
    },
  });

export const usePairingChoices = () => useQuery(queryFor(listPairingChoices, {}));

export const useIssueCode = () =>
  useMutation({
    mutationFn: (body: { routeDesignation: string | null; userId: number }) => call(issuePairingCode, { body }),
  });

export type DeviceFilter = { search: string; route: string | null; sort: string };

export function useDevicePage({ search, route, sort }: DeviceFilter, page: string | null) {
  const query = {
    sort: sort as '-activity',
    ...(search ? { search } : {}),
    ...(route ? { route } : {}),
    ...(page ? { page } : {}),
  };
  return useQuery({ ...queryFor(pageDevices, { query }), placeholderData: keepPreviousData });
}

export function useRevokeDevice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: DeviceRow) => call(revokeDevice, { params: { id } }),
    onSuccess: (_, { deviceName }) => {
      toast({ title: 'Device Revoked', description: `${deviceName} is signed out and must be paired anew` });
      return client.invalidateQueries({ queryKey: [pageDevices.path] });
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Not Revoked', description: sentenceOf(error) }),
  });
}
