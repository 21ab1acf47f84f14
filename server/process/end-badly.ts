import { sayError, speakJson } from "./terminal.ts";
import { explainStart } from "./trouble.ts";

/** Ends a process of the service that could not start, with exit code 1: one sentence where one helps, in live mode a line of JSON. */
export function endBadly(process_: "web" | "worker" | "signer", error: unknown): never {
  if (process.env.MODE === "live") speakJson(process_);
  sayError(explainStart(error));
  process.exit(1);
}
