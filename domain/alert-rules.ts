import { z } from 'zod';

export const severity = z.enum(['critical', 'high', 'medium', 'low']);
export type Severity = z.infer<typeof severity>;

/** New ones nobody took note of, noted ones whose cause stands, and those that are over. */
export const alertState = z.enum(['open', 'new', 'acknowledged', 'resolved', 'all']);
export type AlertState = z.infer<typeof alertState>;

/** What can raise an alert, in the order in which settings list it. */
export const alertRule = z.enum([
  'out_of_stock',
  'low_stock',
  'runs_out',
  'silent',
  'price_mismatch',
  'impossible_reading',
  'expiring',
]);
export type AlertRule = z.infer<typeof alertRule>;

type Words = {
  name: string;
  /** What the number of the rule means; null: it has none. `isMoney`: in the operator's currency. */
  limit: { label: string; min: number; max: number; isMoney?: true } | null;
};

/** How each rule is spoken of. */
export const alertRuleWords: Record<AlertRule, Words> = {
  out_of_stock: { name: 'A slot is sold out', limit: null },
  low_stock: { name: 'Slots are low', limit: { label: 'From this many slots', min: 1, max: 100 } },
  runs_out: {
    name: 'Slots run out before the next visit',
    limit: { label: 'From this expected loss', min: 0, max: 10_000, isMoney: true },
  },
  silent: { name: 'A machine is silent', limit: { label: 'After hours', min: 1, max: 720 } },
  price_mismatch: {
    name: 'Sales are at another price than the planogram’s',
    limit: { label: 'After this many sales in a row', min: 1, max: 50 },
  },
  impossible_reading: { name: 'More was sold than there was', limit: null },
  expiring: { name: 'Products expire', limit: { label: 'Days ahead', min: 0, max: 90 } },
};

/** What raises an alert without a rule of its own, in words. */
export const ownAlertKinds = {
  over_capacity: 'More was counted than the slot holds',
  other_product: 'Another product was counted than is planned',
  machine_clock: 'A machine’s clock is wrong',
  dex_counters: 'DEX counters fell, or are of another board',
} as const;

/** Asks for alerts of all kinds that are not ours: machines and partners name theirs as they please. */
export const reportedAlerts = 'reported';

/** Every kind that Milkrun raises itself. */
export const knownAlertKinds: readonly string[] = [...alertRule.options, ...Object.keys(ownAlertKinds)];

const ruleSetting = (rule: AlertRule) => {
  const { limit } = alertRuleWords[rule];
  const words = limit && `${limit.label}: between ${limit.min} and ${limit.max}`;
  return z.strictObject({
    enabled: z.boolean(),
    severity,
    limit: limit && words ? z.int(words).min(limit.min, words).max(limit.max, words) : z.literal(0),
  });
};

/** Which rules hold, how grave their alerts are, and the daily letter about open ones. */
export const alertSettings = z.strictObject({
  rules: z.strictObject({
    out_of_stock: ruleSetting('out_of_stock'),
    low_stock: ruleSetting('low_stock'),
    runs_out: ruleSetting('runs_out'),
    silent: ruleSetting('silent'),
    price_mismatch: ruleSetting('price_mismatch'),
    impossible_reading: ruleSetting('impossible_reading'),
    expiring: ruleSetting('expiring'),
  } satisfies Record<AlertRule, z.ZodType>),
  digest: z.strictObject({
    enabled: z.boolean(),
    /** Hour of the operator's day from which it is sent. */
    hour: z.int().min(0).max(23),
  }),
});
export type AlertSettings = z.output<typeof alertSettings>;

/** What holds until somebody changes it. */
export const usualAlertSettings: AlertSettings = {
  rules: {
    out_of_stock: { enabled: true, severity: 'medium', limit: 0 },
    low_stock: { enabled: true, severity: 'low', limit: 8 },
    runs_out: { enabled: true, severity: 'medium', limit: 25 },
    silent: { enabled: true, severity: 'high', limit: 24 },
    price_mismatch: { enabled: true, severity: 'medium', limit: 3 },
    impossible_reading: { enabled: true, severity: 'medium', limit: 0 },
    expiring: { enabled: true, severity: 'medium', limit: 7 },
  },
  digest: { enabled: false, hour: 6 },
};
