import { startWithOwnData } from '../../contract/auth.ts';
import { getSandbox } from '../../contract/demo.ts';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { getOperator } from '../settings/service.ts';
import { endDemo } from './service.ts';

/** The set-up code goes to the console only: whoever holds this machine may become its administrator. */
const toConsole = (line: string): void => void process.stdout.write(`${line}\n`);

const noSandbox = { url: null, credentials: {} };

export function demoEndpoints(deps: Deps): Handled[] {
  return [
    handle(startWithOwnData, async () => {
      const { isDemo } = await getOperator(deps.db);
      if (!isDemo) throw new AppError('conflict', 'This is no demo: its data are your own and stay.');
      await endDemo(deps, toConsole);
      await deps.sandbox?.close();
      return {};
    }),
    handle(getSandbox, async () => {
      const { isDemo } = await getOperator(deps.db);
      const { sandbox } = deps;
      return isDemo && sandbox ? { url: sandbox.origin, credentials: sandbox.credentials } : noSandbox;
    }),
  ];
}
