import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "#server/console/router.ts";
import { TRPCProvider } from "./client.tsx";
import { deadlineLink, fetchAndHearTime, lapseHeaders } from "./deadline.ts";
import { newQueryClient } from "./query-client.ts";
import { noticeSignedOut } from "./signed-out.ts";

const URL_OF_CALLS = "/api/trpc";
/** As many as the server takes in one request. */
const MOST_CALLS = 20;

function openClient() {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url: URL_OF_CALLS }),
        false: [
          deadlineLink,
          httpBatchLink({
            url: URL_OF_CALLS,
            maxURLLength: 2_048,
            maxItems: MOST_CALLS,
            fetch: fetchAndHearTime,
            headers: ({ opList }) => lapseHeaders(opList),
          }),
        ],
      }),
    ],
  });
}

export function ConsoleQueries({ children }: { children: ReactNode }) {
  const [queries] = useState(() => newQueryClient(noticeSignedOut));
  const [client] = useState(openClient);
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
