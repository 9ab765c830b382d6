import { sql } from 'drizzle-orm';
import type { OperatorSettings } from '../../contract/settings.ts';
import type { OperatorInput } from '../../domain/fleet.ts';
import type { OperatorRules } from '../../domain/operator-rules.ts';
import { changedFields, recordAudit } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { getOperator, saveOperator } from '../settings/service.ts';

/** Changes what the operator is called and how it counts. With time zone or currency all daily sums are made anew. */
export function changeOperator(deps: Deps, caller: Caller, input: OperatorInput): Promise<OperatorSettings> {
  return deps.db.transaction(async (tx) => {
    // Years of sums made anew take longer than any other call may.
    await tx.execute(sql`set local statement_timeout = 0`);
    const detail = changedFields({ ...(await getOperator(tx)) }, input);
    await saveOperator(tx, input);
    await recordAudit(tx, caller, { action: 'operator.update', objectType: 'operator', objectId: 1, detail });
    await publish(tx, { topic: 'settings', ids: [] });
    return getOperator(tx);
  });
}

/** Changes from when on something is late, silent or low, and when people work. */
export function changeRules(deps: Deps, caller: Caller, input: OperatorRules): Promise<OperatorRules> {
  return deps.db.transaction(async (tx) => {
    const detail = changedFields({ ...(await getOperator(tx)) }, { ...input });
    await saveOperator(tx, input);
    await recordAudit(tx, caller, { action: 'operator.rules', objectType: 'operator', objectId: 1, detail });
    await publish(tx, { topic: 'settings', ids: [] });
    return getOperator(tx);
  });
}
