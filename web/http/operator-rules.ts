import { type OperatorRules, usualRules } from '../../domain/operator-rules.ts';

type Always = 'lateAfterMin' | 'lowLevelPercent' | 'goodLevelPercent' | 'workStart' | 'workEnd';
type Rules = Pick<OperatorRules, Always | 'lowSlotPercent'>;
type Told = Pick<OperatorRules, Always> & { lowSlotPercent?: number | undefined };

let held: Rules = usualRules;

/** What the operator counts as late or low; set once after sign-in, the usual where an older release said nothing. */
export function setOperatorRules(rules: Told | undefined): void {
  held = { ...usualRules, ...rules, lowSlotPercent: rules?.lowSlotPercent ?? usualRules.lowSlotPercent };
}

export const operatorRules = (): Rules => held;
