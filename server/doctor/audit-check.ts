import { counted } from '../../domain/counted.ts';
import { breakInWords, verifyChain } from '../audit/service.ts';
import { broken, type Check, good } from './finding.ts';

/** The audit log against its chain of hashes. */
export const audit: Check = {
  name: 'Audit log',
  look: async ({ database: { db } }) => {
    const { lines, purged, head, broken: found } = await verifyChain(db);
    const before =
      purged > 0
        ? ` ${counted(purged, 'line before was removed when it was', 'lines before were removed when they were')} two years old.`
        : '';
    if (!found)
      return good(
        `${counted(lines, 'line', 'lines')}, none changed or removed.${before} The newest hash is ${head ?? 'none yet'}.`,
      );
    return broken(
      `${breakInWords(found)} Somebody wrote to the database past this program: compare with a backup from before, and find out who has its password.`,
    );
  },
};
