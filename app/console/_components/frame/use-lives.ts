import { useEffect, useState } from "react";

/** Whether the page's scripts are at work yet. A form that is sent before would be sent by the browser itself, past them. */
export function useLives(): boolean {
  const [lives, setLives] = useState(false);
  useEffect(() => setLives(true), []);
  return lives;
}
