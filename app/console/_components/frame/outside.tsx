"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";
import { useLoadAhead } from "#app/console/_components/controls/lazy-component.tsx";
import { StepUpProvider } from "#app/console/_components/dialogs/step-up.tsx";
import { ConsoleQueries } from "../../_trpc/provider.tsx";

/** The providers for pages without the console's frame. */
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
