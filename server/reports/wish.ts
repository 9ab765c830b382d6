import type { DayRange } from '../../domain/report.ts';

/** What is counted: these days, and one route designation or all. */
export type Wish = { range: DayRange; before: DayRange; route: string | null };
