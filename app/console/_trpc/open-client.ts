import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import type { AppRouter } from "#server/console/router.ts";
import { deadlineLink, fetchAndReadTime, lapseHeaders } from "./deadline.ts";
import { renewedSessionLink } from "./renewed-session.ts";
import { signedHeaders } from "./signed-decision.ts";

const URL_OF_CALLS = "/api/trpc";
/** As many as the server takes in one request. */
const MOST_CALLS = 20;

/** Reads of the same moment are sent as one batch. An action is sent alone: no other call delays it or shares its deadline. */
export function openClient() {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url: URL_OF_CALLS }),
        false: [
          deadlineLink,
          renewedSessionLink,
          splitLink({
            condition: (operation) => operation.type === "mutation",
            true: httpLink({
              url: URL_OF_CALLS,
              fetch: fetchAndReadTime,
              headers: ({ op }) => ({ ...lapseHeaders(op), ...signedHeaders(op) }),
            }),
            false: httpBatchLink({ url: URL_OF_CALLS, maxURLLength: 2_048, maxItems: MOST_CALLS, fetch: fetchAndReadTime }),
          }),
        ],
      }),
    ],
  });
}
