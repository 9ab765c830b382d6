import { sql } from 'drizzle-orm';
import type { OperatorRulesShown, OperatorSettings } from '../../contract/settings.ts';
import type { OperatorInput } from '../../domain/fleet.ts';
import { type OperatorRules, usualRules } from '../../domain/operator-rules.ts';
import { contentVersion, requireNewest } from '../audit/older-edit.ts';
import { changedFields, recordAudit } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { getOperator, lockOperator, type Operator, saveOperator } from '../settings/service.ts';

export function companyOf({ name, timeZone, currency, distanceUnit, isDemo }: Operator): OperatorSettings {
  const fields = { name, timeZone, currency, distanceUnit };
  return { ...fields, isDemo, version: contentVersion(fields) };
}

export function rulesOf(held: Operator): OperatorRulesShown {
  const names = Object.keys(usualRules) as (keyof OperatorRules)[];
  const rules = Object.fromEntries(names.map((name) => [name, held[name]])) as OperatorRules;
  return { ...rules, version: contentVersion(rules) };
}

const settings = { subject: 'These settings were', objectType: 'operator', id: 1 };

type Edit<I> = { input: I; version: number | null };

/** Changes what the operator is called and how it counts. With time zone or currency all daily sums are made anew. */
export function changeOperator(
  deps: Deps,
  caller: Caller,
  { input, version }: Edit<OperatorInput>,
): Promise<OperatorSettings> {
  return deps.db.transaction(async (tx) => {
    // Years of sums made anew take longer than any other call may.
    await tx.execute(sql`set local statement_timeout = 0`);
    await lockOperator(tx);
    const before = await getOperator(tx);
    await requireNewest(tx, { read: version, held: companyOf(before).version }, settings);
    const detail = changedFields({ ...before }, input);
    await saveOperator(tx, input);
    await recordAudit(tx, caller, { action: 'operator.update', objectType: 'operator', objectId: 1, detail });
    await publish(tx, { topic: 'settings', ids: [] });
    return companyOf(await getOperator(tx));
  });
}

/** Changes from when on something is late, silent or low, and when people work. */
export function changeRules(
  deps: Deps,
  caller: Caller,
  { input, version }: Edit<OperatorRules>,
): Promise<OperatorRulesShown> {
  return deps.db.transaction(async (tx) => {
    await lockOperator(tx);
    const before = await getOperator(tx);
    await requireNewest(tx, { read: version, held: rulesOf(before).version }, settings);
    const detail = changedFields({ ...before }, { ...input });
    await saveOperator(tx, input);
    await recordAudit(tx, caller, { action: 'operator.rules', objectType: 'operator', objectId: 1, detail });
    await publish(tx, { topic: 'settings', ids: [] });
    return rulesOf(await getOperator(tx));
  });
}
