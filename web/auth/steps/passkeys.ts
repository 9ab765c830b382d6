import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import type { addPasskey, provePasskey } from '../../../contract/account.ts';
import type { CallArgs } from '../../../contract/endpoint.ts';
import { ApiError } from '../../http/client.ts';

type Options = Record<string, unknown>;
type Made = CallArgs<typeof addPasskey>['body']['credential'];
type Signed = CallArgs<typeof provePasskey>['body']['credential'];

/** Asks the browser to make a passkey; the person's own stop is a sentence, not a failure of ours. */
export async function makePasskey(options: Options): Promise<Made> {
  // Both ends of this are the same library; the wire in between carries plain JSON.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const made = await startRegistration({ optionsJSON }).catch(stopped);
  return { ...made, clientExtensionResults: {} } as Made;
}

/** Asks the browser to sign with a passkey. */
export async function signPasskey(options: Options): Promise<Signed> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const signed = await startAuthentication({ optionsJSON }).catch(stopped);
  return { ...signed, clientExtensionResults: {} } as Signed;
}

function stopped(error: unknown): never {
  const exists = error instanceof Error && error.name === 'InvalidStateError';
  const detail = exists
    ? 'This device has a passkey for you already.'
    : 'No passkey was used. Try again when you are ready.';
  throw new ApiError(400, detail, { detail });
}
