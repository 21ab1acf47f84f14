import { format } from "node:util";
import type { Log } from "#server/ports.ts";

/** What libraries say to the console goes into the log instead, so that everything a process prints is a line of JSON. */
export function turnConsoleToLog(log: Log): void {
  const writer = (level: "info" | "warn" | "error") => {
    return (...said: unknown[]) => log[level]({ from: "console" }, format(...said).trim());
  };
  Object.assign(console, {
    log: writer("info"),
    info: writer("info"),
    debug: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
  });
}
