import { type AlertSettings, alertRule, alertRuleWords, severity } from '../../domain/alert-rules.ts';
import type { Labels } from '../ui/forms/edit-conflict.tsx';

/** What each field says, under its name: that of the rule and its part, as in `silent.limit`. */
export type Worded = Record<string, string>;

export const severityOptions = severity.options.map((value) => ({
  value,
  label: `${value.charAt(0).toUpperCase()}${value.slice(1)}`,
}));

export const hourOptions = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${hour % 12 === 0 ? 12 : hour % 12}:00 ${hour < 12 ? 'AM' : 'PM'}`,
}));

const uncapitalized = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
const onOrOff = (isOn: boolean): string => (isOn ? 'On' : 'Off');

type Option = { value: string; label: string };
const labelOf = (options: readonly Option[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value;
const chosenBy = (options: readonly Option[], label: string): string =>
  options.find((option) => option.label === label)?.value ?? label;

export const ruleLabels: Labels<Worded> = Object.fromEntries([
  ...alertRule.options.flatMap((rule) => {
    const { name, limit } = alertRuleWords[rule];
    return [
      [`${rule}.enabled`, name],
      [`${rule}.severity`, `Severity: ${name}`],
      ...(limit ? [[`${rule}.limit`, `${name}, ${uncapitalized(limit.label)}`]] : []),
    ];
  }),
  ['digest.enabled', 'Daily letter'],
  ['digest.hour', 'Daily letter, from'],
]);

export function wordedRules({ rules, digest }: AlertSettings): Worded {
  return Object.fromEntries([
    ...alertRule.options.flatMap((rule) => [
      [`${rule}.enabled`, onOrOff(rules[rule].enabled)],
      [`${rule}.severity`, labelOf(severityOptions, rules[rule].severity)],
      [`${rule}.limit`, String(rules[rule].limit)],
    ]),
    ['digest.enabled', onOrOff(digest.enabled)],
    ['digest.hour', labelOf(hourOptions, String(digest.hour))],
  ]);
}

/** The settings with one field as its words say. */
export function withWorded(settings: AlertSettings, field: string, text: string): AlertSettings {
  const { rules, digest } = settings;
  if (field === 'digest.enabled') return { rules, digest: { ...digest, enabled: text === onOrOff(true) } };
  if (field === 'digest.hour') return { rules, digest: { ...digest, hour: Number(chosenBy(hourOptions, text)) } };
  const [name, part] = field.split('.');
  const rule = alertRule.parse(name);
  const values = {
    enabled: () => text === onOrOff(true),
    severity: () => severity.parse(chosenBy(severityOptions, text)),
    limit: () => Number(text),
  };
  const value = values[part as keyof typeof values]();
  return { rules: { ...rules, [rule]: { ...rules[rule], [part as string]: value } }, digest };
}
