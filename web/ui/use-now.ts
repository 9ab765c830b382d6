import { useEffect, useState } from 'react';

const minuteMs = 60_000;

/** The time, once a minute: for ages and lateness. By the computer's clock, unless another is given for good. */
export function useNow(read: () => number = Date.now): Date {
  const [now, setNow] = useState(() => new Date(read()));
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date(read())), minuteMs);
    return () => clearInterval(timer);
  }, [read]);
  return now;
}
