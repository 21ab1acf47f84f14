import { explainDatabase } from "#db/trouble.ts";

/** An error that the person at the terminal can fix: shown as one sentence, without a stack. */
export class Trouble extends Error {
  override readonly name = "Trouble";
}

/** The code of a system error (`ENOENT`, `EADDRINUSE`, …), or null. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** Errors whose message is written for anyone who starts a process. */
const SENTENCES = new Set(["Trouble", "ConfigError", "UnfitDatabase", "UnknownSchema", "MissingRoles", "UnfitOrder"]);

/** Why a process could not start: the sentence that says what to do where there is one, else all that is known. */
export function explainStart(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (SENTENCES.has(error.name)) return error.message;
  if (errorCode(error) === "EADDRINUSE") return "The port is in use: set PORT to a free one, or end what listens there.";
  return explainDatabase(error, "DATABASE_URL") ?? error.stack ?? error.message;
}
