import { type OperatorRules, usualRules } from '../../domain/operator-rules.ts';

type Rules = Pick<OperatorRules, 'lateAfterMin' | 'lowLevelPercent' | 'goodLevelPercent' | 'workStart' | 'workEnd'>;

let held: Rules = usualRules;

/** What the operator counts as late or low; set once after sign-in, the usual where an older release said nothing. */
export function setOperatorRules(rules: Rules | undefined): void {
  held = rules ?? usualRules;
}

export const operatorRules = (): Rules => held;
