/** The code of a system or parser error (`ECONNRESET`, `HPE_INVALID_METHOD`, …), or null. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}
