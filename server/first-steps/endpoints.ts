import { getFirstSteps, hideFirstSteps } from '../../contract/first-steps.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { firstSteps, hideSteps } from './service.ts';

export const firstStepEndpoints = (deps: Deps) => [
  handle(getFirstSteps, () => firstSteps(deps)),
  handle(hideFirstSteps, () => hideSteps(deps)),
];
