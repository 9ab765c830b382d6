import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { ApiError } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { useCheckCode } from './api.ts';

const digits = 8;
export type CheckedCode = { code: string; routes: string[]; worker: string };

/** The code behind the hash of a link from a QR code; taken out of the address at once. */
function codeOfAddress(): string {
  const found = /^#code=(\d{8})$/.exec(window.location.hash)?.[1] ?? '';
  if (found) window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return found;
}

/** Step one of a device that nobody is signed in on: the code of a route manager. */
export function CodeStep({ onChecked }: { onChecked: (checked: CheckedCode) => void }) {
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const check = useCheckCode();
  const ask = async (wanted: string): Promise<void> => {
    setFailure(null);
    try {
      const { routeDesignations, worker } = await check.mutateAsync(wanted);
      onChecked({ code: wanted, routes: routeDesignations, worker });
    } catch (error) {
      setFailure(error instanceof ApiError ? error.detail : 'Login failed. Please try again.');
    }
  };
  const takeScanned = useEffectEvent((): void => {
    const found = codeOfAddress();
    if (!found) return;
    setCode(found);
    void ask(found);
  });
  useEffect(() => {
    const heard = (): void => takeScanned();
    heard();
    // A link opened where this screen stands already changes nothing but what is behind the hash.
    window.addEventListener('hashchange', heard);
    return () => window.removeEventListener('hashchange', heard);
  }, []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (code.length === digits) void ask(code);
    else setFailure('Enter the 8 digits of the pairing code');
  };
  return (
    <form onSubmit={submit} className="grid gap-4 p-4">
      <label className="grid gap-1">
        <span className="font-medium text-12 text-text-2">Pairing code</span>
        <input
          value={code.replace(/^(\d{4})(\d+)$/, '$1 $2')}
          onChange={(event) => setCode(event.target.value.replace(/\D/g, '').slice(0, digits))}
          inputMode="numeric"
          autoComplete="off"
          aria-describedby="pairing-help"
          className="h-16 w-full rounded border border-line-strong bg-ground text-center font-semibold text-28 tracking-[0.2em]"
        />
      </label>
      <p id="pairing-help" className="text-text-2">
        Your route manager issues it on this same screen: 8 digits, or a QR code for this device’s camera.
      </p>
      {failure && (
        <p role="alert" className="rounded bg-bad-soft p-3 text-bad-text">
          {failure}
        </p>
      )}
      <Button type="submit" variant="primary" size="thumb" pending={check.isPending} pendingLabel="Checking...">
        Continue
      </Button>
    </form>
  );
}
