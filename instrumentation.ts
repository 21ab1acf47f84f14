import type { Instrumentation } from "next";

/** A page or a route that failed beyond what it handles itself: the log gets the error, the caller gets Next's plain answer. */
export const onRequestError: Instrumentation.onRequestError = async (error, request) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { webWiring } = await import("#server/wiring.ts");
  const requestId = request.headers["x-request-id"];
  webWiring().ctx.log.error(
    { request_id: requestId, method: request.method, path: request.path.split("?", 1)[0], err: error },
    "a page failed",
  );
};
