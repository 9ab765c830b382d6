import * as contract from '../../contract/audit.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { getOperator } from '../settings/service.ts';
import { breakInWords, verifyChain } from './chain.ts';
import { findAuditPage, findChoices } from './page.ts';
import { recordAudit } from './service.ts';

export function auditEndpoints({ db }: Deps): Handled[] {
  return [
    handle(contract.pageAuditLog, async ({ query }) => {
      const { timeZone } = await getOperator(db);
      return findAuditPage(db, { ...query, timeZone });
    }),
    handle(contract.listAuditChoices, () => findChoices(db)),
    handle(contract.verifyAuditLog, async ({ caller }) => {
      const { lines, purged, head, broken } = await verifyChain(db);
      await recordAudit(db, caller, { action: 'audit.verify', detail: { lines, intact: broken === null } });
      return { lines, purged, head, broken: broken && breakInWords(broken) };
    }),
    handle(contract.noteExport, async ({ caller, body: { name, rows } }) => {
      await recordAudit(db, caller, {
        action: 'export.screen',
        objectType: 'file',
        objectId: name.slice(0, 50),
        detail: { rows },
      });
      return { noted: true as const };
    }),
  ];
}
