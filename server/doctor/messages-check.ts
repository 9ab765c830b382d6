import { findUnreached, sendTrial } from '../auth/service.ts';
import { getOperator } from '../settings/service.ts';
import { broken, type Check, good, warning } from './finding.ts';

const untried =
  ' Whether the gateway takes our sign-in shows only when a message goes out: try `milkrun doctor --send-to` with a number.';

/** Whether sign-in codes go out. A look and no harm: the doctor may be asked on a machine that reaches neither. */
export const messages: Check = {
  name: 'Messages',
  look: async ({ database: { db }, env, sendTo }) => {
    if (sendTo) {
      const problem = await sendTrial(env, sendTo);
      return problem ? broken(problem) : good(`A message went out to ${sendTo}.`);
    }
    const { isDemo } = await getOperator(db);
    if (isDemo || !(env.smtpUrl || env.smsGatewayUrl)) return good('No mail server or gateway is in use.');
    const unreached = await findUnreached(env);
    if (unreached.length === 0)
      return good(`Mail server and gateway answer, as far as they are set.${env.smsGatewayUrl ? untried : ''}`);
    const told = unreached.map(({ setting, reason }) => `${setting} does not answer as it should (${reason})`);
    return warning(`${told.join('; ')}: codes to sign in do not go out that way. Look at its address and password.`);
  },
};
