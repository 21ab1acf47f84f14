import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { TRPCProvider } from "./client.tsx";
import { openClient } from "./open-client.ts";
import { newQueryClient } from "./query-client.ts";
import { noticeSignedOut } from "./signed-out.ts";

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
