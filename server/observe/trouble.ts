import { isRefusal, Refusal } from "#domain/refusal.ts";
import { Unreachable } from "#server/ports.ts";

/** Socket and driver errors that mean the database (or another part) cannot be reached just now. */
const CONNECTION_CODES = new Set([
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);

/**
 * PostgreSQL's own: connection errors (08), refused log-ins (28), no such database (3D), out of resources (53), shutdown and cancellation
 * (57), system errors such as a failing disk (58), deadlock and serialization (40), a lock timeout (55P03), a read-only server (25006), an
 * idle transaction ended (25P03), a statement after a failed one (25P02): none of them persists.
 */
const SQLSTATES = /^(?:08...|28...|3D000|53...|57...|58...|40001|40P01|55P03|25006|25P0[23])$/;

const MAX_CAUSES = 6;

/** Maps any error to a refusal: a passing failure is a 503, anything unforeseen a 500. The error stays the cause. */
export function refusalFor(error: unknown): Refusal {
  if (isRefusal(error)) return error;
  if (isPassing(error)) return new Refusal("temporarily_unavailable", { cause: error });
  return new Refusal("internal_error", { cause: error });
}

function isPassing(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    if (current instanceof Unreachable || current.name === "Unreachable") return true;
    const code = "code" in current ? current.code : undefined;
    if (typeof code === "string" && (CONNECTION_CODES.has(code) || SQLSTATES.test(code))) return true;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return false;
}
