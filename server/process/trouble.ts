/** Something that the person at the terminal can mend: shown as its one sentence, without a stack. */
export class Trouble extends Error {
  override readonly name = "Trouble";
}

/** The code of a system error (`ENOENT`, `EADDRINUSE`, …), or null. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}
