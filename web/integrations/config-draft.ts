import { useEffect, useState } from 'react';
import type { IntegrationConfig, IntegrationSystemInfo } from '../../contract/integrations.ts';
import { changesOf, dropDraft, readDraft, writeDraft } from '../ui/forms/draft.ts';

type Field = IntegrationSystemInfo['fields'][number];
export type Value = string | boolean;
export type Values = Record<string, Value>;
export type Typed = { name: string; syncEnabled: boolean; values: Values };

/** What is typed into the form of a configuration, kept as that of every form is, but for its secrets: they are kept nowhere. */
export function useTyped({ system, fields }: IntegrationSystemInfo, config: IntegrationConfig | null) {
  // A draft of an older state of the configuration is not shown over a newer one.
  const key = config ? `config-${config.id}-${config.version}` : `config-new-${system}`;
  const [start] = useState(() => startOf(fields, config));
  const [typed, setTyped] = useState(() => resumed(start, readDraft(key)));
  const [isKept, setKept] = useState(
    () => Object.keys(changesOf(openOf(fields, start), openOf(fields, typed))).length > 0,
  );
  useEffect(
    () => writeDraft(key, changesOf(openOf(fields, start), openOf(fields, typed))),
    [key, fields, start, typed],
  );
  return {
    typed,
    setTyped,
    isKept,
    /** It is saved, and no draft any more. */
    drop: () => dropDraft(key),
    /** Gives up what was typed. */
    giveUp: (): void => {
      setTyped(start);
      setKept(false);
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

/** Without the secrets. */
function openOf(fields: readonly Field[], { name, syncEnabled, values }: Typed): Values {
  const open = fields.filter(({ kind }) => kind !== 'secret').map((field) => [field.name, values[field.name] ?? '']);
  return { ...Object.fromEntries(open), name, syncEnabled };
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
