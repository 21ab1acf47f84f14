"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";
import { ConsoleQueries } from "../_trpc/provider.tsx";
import { StepUpProvider } from "./step-up.tsx";

/** What pages without the console's frame around them need to ask the service. */
export function ConsoleOutside({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <ConsoleQueries>
        <StepUpProvider>{children}</StepUpProvider>
      </ConsoleQueries>
    </CSPProvider>
  );
}
