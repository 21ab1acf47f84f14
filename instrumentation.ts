import type { Instrumentation } from "next";
import { refusalFor } from "#server/observe/trouble.ts";
import { unavailablePages } from "#server/observe/unavailable.ts";

/**
 * A page or a route that failed beyond what it handles itself: the log gets the error, the caller Next's plain answer, or the front
 * door's where a part is away that will be back.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, request) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const requestId = request.headers["x-request-id"];
  const isAway = refusalFor(error).code === "temporarily_unavailable";
  // Reported before anything is waited for: the answer is about to be written.
  if (isAway && typeof requestId === "string") unavailablePages().add(requestId);
  const { webWiring } = await import("#server/wiring.ts");
  const { log } = webWiring().ctx;
  const logAt = isAway ? log.warn : log.error;
  logAt(
    { request_id: requestId, method: request.method, path: request.path.split("?", 1)[0], digest: digestOf(error), err: error },
    "a page failed",
  );
};

/** What the page shown in its place says of it. */
function digestOf(error: unknown): string | undefined {
  return error instanceof Error && "digest" in error && typeof error.digest === "string" ? error.digest : undefined;
}
