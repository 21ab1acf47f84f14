import { useEffect, useState } from "react";

/** Whether the page is hydrated. Before that, the browser itself would submit a form. */
export function useHydrated(): boolean {
  const [isHydrated, setLives] = useState(false);
  useEffect(() => setLives(true), []);
  return isHydrated;
}
