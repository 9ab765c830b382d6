import { type FormEvent, useState } from 'react';
import type { DeviceLogin, DeviceType } from '../../contract/devices.ts';
import { ApiError } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/forms/select.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { deviceTypes, useDeviceLogin } from './api.ts';

type Props = {
  deviceId: string;
  /** What the code, or the signed-in person's role, allows. */
  routes: readonly string[];
  pairingCode: string | null;
  onDone: (login: DeviceLogin) => void;
  onBack?: () => void;
};

/** Name, type and route of the device; nothing is sent before all three are there. */
export function DeviceForm({ deviceId, routes, pairingCode, onDone, onBack }: Props) {
  const [deviceName, setName] = useState('');
  const [type, setType] = useState<DeviceType | ''>('');
  const [route, setRoute] = useState(routes.length === 1 ? (routes[0] ?? '') : '');
  const login = useDeviceLogin();
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (type === '') return;
    setFailure(null);
    try {
      const form = { deviceId, deviceName: deviceName.trim(), deviceType: type, routeDesignation: route, pairingCode };
      onDone(await login.mutateAsync(form));
    } catch (error) {
      setFailure(error instanceof ApiError ? error.detail : 'Login failed. Please try again.');
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-4 p-4">
      <TextField
        label="Device ID"
        size="field"
        value={deviceId}
        onChange={() => {}}
        readOnly
        // In the size of what is typed a phone would cut its end off.
        className="text-text-2 max-sm:[&_input]:text-12"
      />
      <TextField
        label="Device name"
        size="field"
        autoComplete="off"
        maxLength={100}
        placeholder="Van tablet"
        value={deviceName}
        onChange={setName}
      />
      <Select
        label="Device type"
        size="field"
        value={type}
        onChange={(value) => setType(deviceTypes.find((one) => one.value === value)?.value ?? '')}
        options={[{ value: '', label: 'Choose a type' }, ...deviceTypes]}
      />
      <Select
        label="Route designation"
        size="field"
        value={route}
        onChange={setRoute}
        options={[
          { value: '', label: 'Choose a route' },
          ...routes.map((value) => ({ value, label: `Route ${value}` })),
        ]}
      />
      {failure && (
        <p role="alert" className="rounded bg-bad-soft p-3 text-bad-text">
          {failure}
        </p>
      )}
      <Button
        type="submit"
        variant="primary"
        size="thumb"
        disabled={deviceName.trim() === '' || type === '' || route === ''}
        pending={login.isPending}
        pendingLabel="Signing in..."
      >
        Login Device
      </Button>
      {onBack && (
        <Button size="field" variant="quiet" onClick={onBack}>
          Use another code
        </Button>
      )}
    </form>
  );
}
