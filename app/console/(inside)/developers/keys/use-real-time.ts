import { useEffect, useState } from "react";

/**
 * Real time in milliseconds, by the server's clock: keys and secrets use it, not the sandbox's clock. `heard` is the server's last value;
 * the browser only counts on from it. It ticks each second while `ticking`.
 */
export function useRealTime(heard: string | undefined, ticking: boolean): number {
  const [base, setBase] = useState<{ heard: string | undefined; at: number } | null>(null);
  const [now, setNow] = useState(0);
  useEffect(() => setBase({ heard, at: performance.now() }), [heard]);
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(performance.now()), 1_000);
    return () => clearInterval(timer);
  }, [ticking]);
  const since = base === null || base.heard !== heard ? 0 : Math.max(0, now - base.at);
  return (heard === undefined ? Date.now() : new Date(heard).getTime()) + since;
}
