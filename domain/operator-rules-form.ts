import { z } from 'zod';

const whole = (label: string, [min, max]: readonly [number, number]) => {
  const sentence = `${label}: a whole number from ${min} to ${max}`;
  return z.number(sentence).int(sentence).min(min, sentence).max(max, sentence);
};
const noTime = 'Enter a time such as 06:00';
const clockTime = z.string(noTime).regex(/^([01]\d|2[0-3]):[0-5]\d$/, noTime);

/** The operator's thresholds and working hours, as a person gives them. */
export const operatorRulesInput = z
  .strictObject({
    lateAfterMin: whole('Late after minutes', [1, 240]),
    phoneSilentHours: whole('Silent phone after hours', [1, 336]),
    lowLevelPercent: whole('Low below percent', [1, 99]),
    goodLevelPercent: whole('Healthy from percent', [1, 100]),
    lowSlotPercent: whole('Low slot below percent', [0, 99]),
    workStart: clockTime,
    workEnd: clockTime,
  })
  .refine(({ lowLevelPercent, goodLevelPercent }) => lowLevelPercent < goodLevelPercent, {
    error: 'A healthy level begins above a low one',
    path: ['goodLevelPercent'],
  })
  .refine(({ workStart, workEnd }) => workStart !== workEnd, {
    error: 'The day ends at another time than it begins',
    path: ['workEnd'],
  });

const wholeNumber = /^\d+$/;

/** As typed into a form, where numbers are digits; an empty field is not a 0. */
export const typedRules = z.preprocess(
  (typed) =>
    Object.fromEntries(
      Object.entries(typed as Record<string, string>).map(([name, text]) => [
        name,
        wholeNumber.test(text.trim()) ? Number(text) : text,
      ]),
    ),
  operatorRulesInput,
);
