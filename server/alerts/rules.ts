import type { AlertRules } from '../../contract/alerts.ts';
import { type AlertRule, type AlertSettings, alertRule, type Severity } from '../../domain/alert-rules.ts';
import { addDays } from '../../domain/time.ts';
import { olderEdit } from '../audit/older-edit.ts';
import { lastEditor, recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { today } from '../settings/service.ts';
import type { Touched } from './queries.ts';
import { atEase, type Parts } from './rest.ts';
import {
  type Cause,
  countMachines,
  findExpiring,
  findImpossible,
  findLowMachines,
  findMispriced,
  findSilent,
  raiseSoldOut,
  reconcile,
} from './rule-queries.ts';
import { findRunningOut } from './running-out.ts';
import { readAlertSettings, writeAlertSettings } from './settings.ts';

type Find = (deps: Parts, limit: number) => Promise<Cause[]>;

/** Causes that stand now, by rule. What is sold out is noticed by the ledger itself, with the movement that does it. */
const findCauses: Record<Exclude<AlertRule, 'out_of_stock'>, Find> = {
  low_stock: ({ db }, limit) => findLowMachines(db, limit),
  runs_out: findRunningOut,
  silent: ({ db, clock }, hours) => findSilent(db, { at: clock.now(), hours }),
  price_mismatch: ({ db, clock }, sales) => findMispriced(db, { at: clock.now(), sales }),
  impossible_reading: ({ db }) => findImpossible(db),
  expiring: async ({ db, clock }, days) => findExpiring(db, addDays(await today(db, clock), days)),
};

/** What takes long takes so long for each machine, and is the same again for most of them ten minutes later. */
const machinesInTurn = 10_000;
/** Counted, not told by the clock: runs that are late leave nobody out. */
const turns = new WeakMap<Db, number>();

/**
 * The same when nobody waits for it: among fifty thousand machines it would have the server to itself for minutes. So it rests between
 * its parts, and reckons each time for some of the machines only.
 */
export async function raiseUnhurried(deps: Parts, atOnce = machinesInTurn): Promise<void> {
  const of = Math.max(1, Math.ceil((await countMachines(deps.db)) / atOnce));
  const nth = ((turns.get(deps.db) ?? -1) + 1) % of;
  turns.set(deps.db, nth);
  const turn = { of, nth };
  await raiseByRules({ ...deps, rest: atEase(1 / 4), turn });
}

/** Brings open alerts in line with what stands now; part of the timetable, and after settings changed. */
export async function raiseByRules(deps: Parts): Promise<void> {
  const { rules } = await readAlertSettings(deps.db);
  for (const rule of alertRule.options) await raiseBy(deps, rule, rules[rule]);
}

type Rule = { enabled: boolean; severity: Severity; limit: number };

async function raiseBy(deps: Parts, rule: AlertRule, { enabled, severity, limit }: Rule): Promise<void> {
  if (rule === 'out_of_stock' && enabled) return;
  const causes = enabled && rule !== 'out_of_stock' ? await findCauses[rule](deps, limit) : [];
  const turn = enabled && rule === 'runs_out' ? deps.turn : undefined;
  await deps.db.transaction(async (tx) => {
    await tell(tx, await reconcile(tx, { alertType: rule, severity, at: deps.clock.now(), turn }, causes));
  });
}

async function tell(tx: Db, touched: readonly Touched[]): Promise<void> {
  if (touched.length === 0) return;
  const routes = [...new Set(touched.flatMap((alert) => alert.routeDesignation ?? []))];
  await publish(tx, { topic: 'alerts', ids: touched.map((alert) => alert.id), routes });
}

type Change = { settings: AlertSettings; version: number | null };

/** Changes what raises alerts; open ones follow at once. */
export async function saveAlertRules(deps: Deps, caller: Caller, { settings, version }: Change): Promise<AlertRules> {
  await deps.db.transaction(async (tx) => {
    if (!(await writeAlertSettings(tx, settings, version))) {
      throw olderEdit('The alert rules were', await lastEditor(tx, ['alert_settings'], 1));
    }
    await recordAudit(tx, caller, {
      action: 'alert.rules',
      objectType: 'alert_settings',
      objectId: 1,
      detail: { ...settings },
    });
    await publish(tx, { topic: 'alerts', ids: [], routes: null });
    // The ledger speaks of a slot only when it moves: those that are empty already follow here.
    const { enabled, severity } = settings.rules.out_of_stock;
    if (enabled) await tell(tx, await raiseSoldOut(tx, { alertType: 'out_of_stock', severity, at: deps.clock.now() }));
  });
  await raiseByRules(deps);
  return readAlertSettings(deps.db);
}
