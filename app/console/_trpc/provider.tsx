"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "#server/trpc/router.ts";
import { TRPCProvider } from "./client.ts";
import { deadlineLink, fetchAndHearTime, lapseHeaders } from "./deadline.ts";
import { newQueryClient } from "./query-client.ts";
import { refusalOf } from "./refusal.ts";

const URL_OF_CALLS = "/api/trpc";

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
            fetch: fetchAndHearTime,
            headers: ({ opList }) => lapseHeaders(opList),
          }),
        ],
      }),
    ],
  });
}

let stays = false;

/** While the page itself asks to sign in again, it is not left: what was filled in stays. */
export function stayWhenSignedOut(stay: boolean): void {
  stays = stay;
}

/**
 * A session that has ended is told by the next call: back to the sign-in, and from there to this page again. Who must set two factors
 * up first is led there.
 */
export function leaveIfSignedOut(error: unknown): void {
  const code = refusalOf(error)?.code;
  if (code === "enrolment_required") window.location.assign("/console/sign-in/enrol");
  if (code !== "invalid_token" || stays) return;
  window.location.assign(`/console/sign-in?next=${encodeURIComponent(window.location.pathname + window.location.search)}`);
}

export function ConsoleQueries({ children }: { children: ReactNode }) {
  const [queries] = useState(() => newQueryClient(leaveIfSignedOut));
  const [client] = useState(openClient);
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
