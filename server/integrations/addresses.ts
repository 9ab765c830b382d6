import type { Connector } from '../../connectors/connector.ts';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';

/** Whichever it is: the difference would tell a stranger what stands inside our network. */
export const refusedAddress =
  'This address leads to a private network or is not a public https:// address. Enter the address that the partner gave you.';

/** Refuses addresses among settings that may not be called, by field. */
export async function refuseAddresses(
  { mayCall }: Deps,
  { fields }: Connector['manifest'],
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const refused: Record<string, string> = {};
  for (const { name, kind, theyCall } of fields) {
    const address = settings[name];
    if (kind !== 'url' || theyCall || typeof address !== 'string' || address.trim() === '') continue;
    if (!(await mayCall(address.trim()))) refused[`settings.${name}`] = refusedAddress;
  }
  if (Object.keys(refused).length > 0) throw new AppError('invalid-input', refusedAddress, { fields: refused });
}
