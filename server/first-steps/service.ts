import type { Reply } from '../../contract/endpoint.ts';
import { firstStep, type getFirstSteps } from '../../contract/first-steps.ts';
import type { Deps } from '../deps.ts';
import { getMarker, getOperator, setMarker } from '../settings/service.ts';
import { countSetUp } from './queries.ts';

/** Set when somebody put the list away. */
const hiddenMarker = 'first-steps-hidden';

/** The steps from an empty database to a first route; null where nobody needs to be told of them. */
export async function firstSteps({ db }: Deps): Promise<Reply<typeof getFirstSteps>> {
  if ((await getMarker(db, hiddenMarker)) || (await getOperator(db)).isDemo) return { steps: null };
  const counts = await countSetUp(db);
  const steps = firstStep.options.map((step) => ({ step, count: counts[step] }));
  return { steps: steps.every(({ count }) => count > 0) ? null : steps };
}

export async function hideSteps({ db, clock }: Deps): Promise<Record<string, never>> {
  await setMarker(db, hiddenMarker, clock.now().toISOString());
  return {};
}
