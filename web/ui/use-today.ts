import { useEffect, useState } from 'react';
import { today } from '../http/format.ts';

const minuteMs = 60_000;

/** Today's calendar day where the operator is: a screen left open over midnight goes on with the next one. */
export function useToday(): string {
  const [day, setDay] = useState(() => today());
  useEffect(() => {
    const timer = setInterval(() => setDay(today()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return day;
}
