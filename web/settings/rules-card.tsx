import { useId } from 'react';
import type { OperatorRulesShown } from '../../contract/settings.ts';
import type { OperatorRules } from '../../domain/operator-rules.ts';
import { typedRules } from '../../domain/operator-rules-form.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useForm } from '../ui/forms/form.ts';
import { TextField } from '../ui/forms/text-field.tsx';
import { useOvertaken } from '../ui/forms/use-overtaken.ts';
import { useSaveRules } from './api.ts';
import { FormEnd } from './form-end.tsx';

type Props = { rules: OperatorRulesShown; mayChange: boolean };

const texts = (rules: OperatorRules) => ({
  lateAfterMin: String(rules.lateAfterMin),
  phoneSilentHours: String(rules.phoneSilentHours),
  lowLevelPercent: String(rules.lowLevelPercent),
  goodLevelPercent: String(rules.goodLevelPercent),
  lowSlotPercent: String(rules.lowSlotPercent),
  workStart: rules.workStart,
  workEnd: rules.workEnd,
});

const labels = {
  workStart: 'The day begins',
  workEnd: 'The day ends',
  lateAfterMin: 'A stop is late after',
  phoneSilentHours: 'A phone is silent after',
  lowLevelPercent: 'A market is low below',
  goodLevelPercent: 'A market is healthy from',
  lowSlotPercent: 'A slot is low below',
};

/** When people work, and from when on something is late, silent or low. */
export function RulesCard({ rules, mayChange }: Props) {
  const id = useId();
  const save = useSaveRules(rules);
  const form = useForm({
    schema: typedRules,
    initial: texts(rules),
    isLive: true,
    onSubmit: (input) => save.mutateAsync(input),
  });
  const overtaken = useOvertaken(texts(rules), form, labels);
  const number = (name: keyof OperatorRules, hint: string) => (
    <TextField label={labels[name]} hint={hint} inputMode="numeric" disabled={!mayChange} {...form.field(name)} />
  );
  return (
    <Card
      title="Working Hours and Thresholds"
      actions={
        <AppLink href="/vending-machines/alerts" className={`${buttonClass()} max-lg:min-h-12`}>
          Rules of alerts
        </AppLink>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={form.submit}
        className="grid max-w-3xl grid-cols-2 items-start gap-4 p-4 lg:grid-cols-3"
      >
        <TextField
          label={labels.workStart}
          type="time"
          hint="Of a plan’s drivers"
          disabled={!mayChange}
          {...form.field('workStart')}
        />
        <TextField
          label={labels.workEnd}
          type="time"
          hint="Earlier: the next day"
          disabled={!mayChange}
          {...form.field('workEnd')}
        />
        {number('lateAfterMin', 'Minutes')}
        {number('phoneSilentHours', 'Hours, with a route open')}
        {number('lowLevelPercent', 'Percent of its target')}
        {number('goodLevelPercent', 'Percent of its target')}
        {number('lowSlotPercent', 'Percent of its capacity, without a minimum')}
        <p className="col-span-full text-text-2">
          Low slots, silent machines, days before a date expires, prices and losses are set with the rules of alerts.
        </p>
        <FormEnd form={form} overtaken={overtaken} mayChange={mayChange} saveLabel="Save Thresholds" />
      </form>
    </Card>
  );
}
