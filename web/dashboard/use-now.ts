import { useEffect, useState } from 'react';

const minuteMs = 60_000;

/** The time, once a minute: for ages and lateness. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
