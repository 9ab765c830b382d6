import { isOpenInClear } from '../env.ts';
import { isRequired } from '../second-factor/service.ts';
import { getOperator } from '../settings/service.ts';
import { type Check, good, warning } from './finding.ts';

/** What stands between a stolen mailbox, or somebody on the way, and the figures of this installation. */
export const signIn: Check = {
  name: 'Sign-in',
  look: async ({ database: { db }, env }) => {
    const { isDemo } = await getOperator(db);
    if (isDemo) return good('A demo: it listens on this machine only.');
    if (isOpenInClear(env)) {
      return warning(
        'Others can reach the server without TLS and read codes on the way. Set PUBLIC_URL with https://, and TLS_CERT_FILE or a proxy.',
      );
    }
    if (!(await isRequired(db))) {
      return warning('No second step is asked for: whoever reads a mailbox can sign in. Switch it on in Settings.');
    }
    return good('A second step is asked for.');
  },
};
