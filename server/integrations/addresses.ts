import type { Connector } from '../../connectors/connector.ts';
import { AppError } from '../../domain/errors.ts';
import { addressProblem } from '../../domain/integration-settings.ts';
import type { Deps } from '../deps.ts';

/** Whichever it is: the difference would tell a stranger what stands inside our network. */
export const refusedAddress =
  'This address leads to a private network or is not a public https:// address. Enter the address that the partner gave you.';

/** Refuses addresses among settings that may not be called, by field. */
export async function refuseAddresses(
  { mayCall, env }: Deps,
  { fields }: Connector['manifest'],
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const refused: Record<string, string> = {};
  for (const { name, kind, theyCall } of fields) {
    const address = settings[name];
    if (kind !== 'url' || theyCall || typeof address !== 'string' || address.trim() === '') continue;
    const text = address.trim();
    const problem = addressProblem(text, env.sandboxUrl) ?? ((await mayCall(text)) ? null : refusedAddress);
    if (problem) refused[`settings.${name}`] = problem;
  }
  const [first] = Object.values(refused);
  if (first) throw new AppError('invalid-input', first, { fields: refused });
}
