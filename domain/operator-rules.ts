/** From when on something is late, silent or low, and when people work: as an operator sees it. */
export type OperatorRules = {
  /** A stop is late when its planned arrival passed by more than these minutes. */
  lateAfterMin: number;
  /** A phone may hold unsent changes when its person had a route and was not heard of for this long. */
  phoneSilentHours: number;
  /** Below this percentage of its target a market's stock level is low. */
  lowLevelPercent: number;
  /** From this percentage on it is healthy. */
  goodLevelPercent: number;
  /** A slot filled below this percentage of its capacity is low where there is no minimum to go by. */
  lowSlotPercent: number;
  /** When a driver's day begins and ends, as HH:MM on the operator's clock. */
  workStart: string;
  workEnd: string;
};

/** What holds until somebody changes it. */
export const usualRules: OperatorRules = {
  lateAfterMin: 15,
  phoneSilentHours: 48,
  lowLevelPercent: 40,
  goodLevelPercent: 70,
  lowSlotPercent: 20,
  workStart: '06:00',
  workEnd: '15:00',
};
