import { useId, useState } from 'react';
import type { z } from 'zod';
import type { AlertRules } from '../../contract/alerts.ts';
import { type AlertRule, alertRule, alertRuleWords, alertSettings, severity } from '../../domain/alert-rules.ts';
import { useMay } from '../auth/api.ts';
import { operatorCurrency } from '../http/format.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { EditConflict } from '../ui/forms/edit-conflict.tsx';
import { useFirstField } from '../ui/forms/first-field.ts';
import { useForm } from '../ui/forms/form.ts';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { Select } from '../ui/forms/select.tsx';
import { useRebase } from '../ui/forms/use-rebase.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { loadAlertRules, useAlertRules, useSaveAlertRules } from './api.ts';
import { hourOptions, ruleLabels, severityOptions, withWorded, wordedRules } from './rule-words.ts';

/** What raises alerts, how grave they are, and the daily letter. */
export function RulesDialog({ onClose }: { onClose: () => void }) {
  const rules = useAlertRules();
  if (rules.data) return <RulesForm rules={rules.data} onClose={onClose} />;
  return (
    <Dialog open wide onClose={onClose} title="Alert rules">
      {rules.error ? (
        <FailedView error={rules.error} retry={() => void rules.refetch()} title="The alert rules did not load" />
      ) : (
        <SkeletonRows rows={5} className="h-17" />
      )}
    </Dialog>
  );
}

function RulesForm({ rules, onClose }: { rules: AlertRules; onClose: () => void }) {
  const id = useId();
  const fields = useFirstField();
  const mayWrite = useMay('office:write');
  // As they were opened: what somebody else saves since takes nothing that is typed, and the server tells of it.
  const { base, conflict, rebase, take } = useRebase(rules, {
    valuesOf: wordedRules,
    labels: ruleLabels,
    loadNewest: loadAlertRules,
  });
  const save = useSaveAlertRules(base?.version ?? rules.version);
  const [{ version: _, ...settings }] = useState(rules);
  const form = useForm({
    schema: alertSettings,
    initial: settings,
    onSubmit: async (input) => {
      try {
        await save.mutateAsync(input);
      } catch (error) {
        await rebase(error, wordedForm());
        throw error;
      }
      onClose();
    },
  });
  /** Several fields of a rule may be set one after the other: each goes on top of the one before. */
  const wordedForm = () => {
    let now = form.values;
    const set = (name: string, text: string): void => {
      now = withWorded(now, name, text);
      form.set('rules', now.rules);
      form.set('digest', now.digest);
    };
    return { values: wordedRules(now), set };
  };
  const isTold = conflict !== null && conflict.changes.length > 0;
  const failure = isTold && form.failure === conflict.sentence ? null : form.failure;
  const { rules: typed, digest } = form.values;
  const problem = form.errorOf('rules');
  const change = (rule: AlertRule, part: Partial<Rule>): void => {
    form.set('rules', { ...typed, [rule]: { ...typed[rule], ...part } } as typeof typed);
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Alert rules"
      description="Looked at every ten minutes, what runs out in turn where there are more than 10,000 machines; an alert ends by itself when its cause has gone."
      footer={mayWrite && <FormButtons form={id} submitLabel="Save Rules" pending={form.pending} onCancel={onClose} />}
    >
      <form ref={fields} id={id} noValidate onSubmit={form.submit} className="grid">
        {isTold && <EditConflict {...conflict} onTake={(change) => take(change, wordedForm())} />}
        {alertRule.options.map((rule) => (
          <RuleRow
            key={rule}
            rule={rule}
            value={typed[rule]}
            isTried={problem !== undefined}
            onChange={(part) => change(rule, part)}
          />
        ))}
        <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-4">
          <label className="flex min-h-8 flex-1 items-center gap-2 max-lg:min-h-12">
            <input
              type="checkbox"
              checked={digest.enabled}
              onChange={(event) => form.set('digest', { ...digest, enabled: event.target.checked })}
              className="size-4 accent-accent"
            />
            Write to the managers once a day what nobody has taken note of
          </label>
          <Select
            label="From"
            value={String(digest.hour)}
            onChange={(hour) => form.set('digest', { ...digest, hour: Number(hour) })}
            options={hourOptions}
            className="w-28"
          />
        </fieldset>
        {(failure ?? problem) && (
          <p role="alert" className="mt-3 text-bad-text">
            {failure ?? problem}
          </p>
        )}
      </form>
    </Dialog>
  );
}

type Rule = z.output<typeof alertSettings>['rules'][AlertRule];
type RowProps = {
  rule: AlertRule;
  value: Rule;
  /** A save was refused: the number that is wrong is marked. */
  isTried: boolean;
  onChange: (part: Partial<Rule>) => void;
};

function RuleRow({ rule, value, isTried, onChange }: RowProps) {
  const id = useId();
  const { name, limit } = alertRuleWords[rule];
  const fits = limit && Number.isInteger(value.limit) && value.limit >= limit.min && value.limit <= limit.max;
  const isWrong = isTried && limit !== null && !fits;
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-2">
      <label className="flex min-h-8 min-w-56 flex-1 items-center gap-2 max-sm:basis-full max-lg:min-h-12">
        <input
          type="checkbox"
          checked={value.enabled}
          onChange={(event) => onChange({ enabled: event.target.checked })}
          className="size-4 accent-accent"
        />
        {name}
      </label>
      {limit && (
        <span className="flex items-center gap-2 max-sm:flex-1 max-sm:justify-between">
          <label htmlFor={id} className="text-12 text-text-2">
            {limit.isMoney ? `${limit.label} (${operatorCurrency()})` : limit.label}
          </label>
          <input
            id={id}
            type="number"
            min={limit.min}
            max={limit.max}
            value={Number.isNaN(value.limit) ? '' : value.limit}
            aria-invalid={isWrong || undefined}
            aria-describedby={isWrong ? `${id}-bounds` : undefined}
            onChange={(event) => onChange({ limit: event.target.valueAsNumber })}
            className={`h-8 w-20 rounded border bg-ground px-2 text-right max-lg:h-12 max-lg:text-16 ${isWrong ? 'border-bad' : 'border-line-strong'}`}
          />
        </span>
      )}
      <Select
        hideLabel
        label={`Severity: ${name}`}
        value={value.severity}
        options={severityOptions}
        onChange={(chosen) => onChange({ severity: severity.parse(chosen) })}
        className="w-28"
      />
      {isWrong && (
        <p id={`${id}-bounds`} className="basis-full text-12 text-bad-text">
          {`Between ${limit.min} and ${limit.max}`}
        </p>
      )}
    </fieldset>
  );
}
