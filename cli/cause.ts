/** The innermost reason of a failed `fetch`: `ECONNREFUSED`, not "fetch failed". */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return causeOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  const { message } = error;
  if (!("code" in error) || typeof error.code !== "string" || message.includes(error.code)) return message;
  return message === "" ? error.code : `${error.code}: ${message}`;
}
