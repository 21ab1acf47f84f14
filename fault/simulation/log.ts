import type { Log } from "#server/ports.ts";
import type { History } from "./history.ts";

/** What a process logs goes into the trace. An error that nobody foresaw is a defect, of the service or of the simulation. */
export function logFor(history: History, violations: string[], name: string): Log {
  const say = (level: string) => (fields: object, message: string) => {
    const error = "err" in fields ? fields.err : "error" in fields ? fields.error : null;
    history.trace?.(`${name} ${level}: ${message} ${error instanceof Error ? error.message : ""}`);
    const isUnforeseen = error instanceof TypeError || (error instanceof Error && UNFORESEEN.test(error.message));
    if (isUnforeseen) violations.push(`${message}: ${error.stack}`);
  };
  const log: Log = { info: say("info"), warn: say("warn"), error: say("error"), child: () => log };
  return log;
}

const UNFORESEEN = /outside of the simulation|deadlock|read twice/;
