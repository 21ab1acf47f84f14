"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";
import { useLoadAhead } from "#app/console/_components/controls/lazy-component.tsx";
import { StepUpProvider } from "#app/console/_components/dialogs/step-up.tsx";
import { ConsoleQueries } from "../../_trpc/provider.tsx";

/** What pages without the console's frame around them need to ask the service. */
export function ConsoleOutside({ children }: { children: ReactNode }) {
  useLoadAhead();
  return (
    <CSPProvider disableStyleElements>
      <ConsoleQueries>
        <StepUpProvider>{children}</StepUpProvider>
      </ConsoleQueries>
    </CSPProvider>
  );
}
