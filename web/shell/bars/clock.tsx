import { useEffect, useState } from 'react';
import { formatTime, formatWeekday } from '../../http/format.ts';

const minuteMs = 60_000;

/** Day and time where the operator is, to the minute. */
export function Clock() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), minuteMs / 4);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="mr-2 whitespace-nowrap text-text-2">
      {formatWeekday(now)} · {formatTime(now)}
    </span>
  );
}
