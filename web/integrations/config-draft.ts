import { useEffect, useState } from 'react';
import type { IntegrationConfig, IntegrationSystemInfo } from '../../contract/integrations.ts';
import { changesOf, dropDraft, readDraft, writeDraft } from '../ui/forms/draft.ts';

type Field = IntegrationSystemInfo['fields'][number];
export type Value = string | boolean;
export type Values = Record<string, Value>;
export type Typed = { name: string; syncEnabled: boolean; values: Values };

const keyOfNew = (system: string): string => `config-new-${system}`;

/** Somebody went on elsewhere with what was typed, and it is connected now. */
export const dropNewDraft = (system: string): void => dropDraft(keyOfNew(system));

/**
 * What is typed into the form of a configuration, kept as that of every form is, but for its secrets: they are kept nowhere. The
 * form stands by the configuration it opened with: what somebody else changes meanwhile is not on it, and would be put back unseen.
 */
export function useTyped({ system, fields }: IntegrationSystemInfo, given: IntegrationConfig | null) {
  const [config, setConfig] = useState(given);
  const key = config ? `config-${config.id}` : keyOfNew(system);
  const [start, setStart] = useState(() => startOf(fields, config));
  const [typed, setTyped] = useState(() => resumed(start, readDraft(key)));
  const [isKept, setKept] = useState(
    () => Object.keys(changesOf(openOf(fields, start), openOf(fields, typed))).length > 0,
  );
  const [isOvertaken, setOvertaken] = useState(false);
  const [contested, setContested] = useState<Values>({});
  useEffect(
    () => writeDraft(key, changesOf(openOf(fields, start), openOf(fields, typed))),
    [key, fields, start, typed],
  );
  if (isOvertaken && given && given.version !== config?.version) {
    const next = startOf(fields, given);
    const mine = changesOf(allOf(start), allOf(typed));
    const theirs = changesOf(allOf(start), allOf(next));
    setOvertaken(false);
    setConfig(given);
    setStart(next);
    setTyped(resumed(next, mine));
    setContested(Object.fromEntries(Object.entries(allOf(next)).filter(([name]) => name in mine && name in theirs)));
  }
  return {
    config,
    typed,
    setTyped,
    isKept,
    /** What somebody else saved where something else is typed, by field. */
    contested,
    /** Somebody else was faster: as soon as the newer state is read the form stands by it, with what was typed over it. */
    overtake: (): void => setOvertaken(true),
    /** It is saved, and no draft any more. */
    drop: () => dropDraft(key),
    /** Gives up what was typed. */
    giveUp: (): void => {
      setTyped(start);
      setKept(false);
      setContested({});
      dropDraft(key);
    },
  };
}

function startOf(fields: readonly Field[], config: IntegrationConfig | null): Typed {
  const values = fields.map(({ name, kind, initial }): [string, Value] => {
    const start = config ? config.settings[name] : initial;
    return [name, start ?? (kind === 'switch' ? false : '')];
  });
  return {
    name: config?.name ?? '',
    syncEnabled: config?.syncEnabled ?? true,
    values: Object.fromEntries(values),
  };
}

const allOf = ({ name, syncEnabled, values }: Typed): Values => ({ ...values, name, syncEnabled });

/** Without the secrets. */
function openOf(fields: readonly Field[], { values, ...rest }: Typed): Values {
  const open = fields.filter(({ kind }) => kind !== 'secret').map((field) => [field.name, values[field.name] ?? '']);
  return allOf({ ...rest, values: Object.fromEntries(open) });
}

/** What was kept goes over what a fresh form begins with, where it is of the same kind. */
function resumed(start: Typed, kept: Record<string, unknown>): Typed {
  const of = <V extends Value>(name: string, before: V): V =>
    typeof kept[name] === typeof before ? (kept[name] as V) : before;
  const values = Object.entries(start.values).map(([name, before]) => [name, of(name, before)]);
  return {
    name: of('name', start.name),
    syncEnabled: of('syncEnabled', start.syncEnabled),
    values: Object.fromEntries(values),
  };
}
