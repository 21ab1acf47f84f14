"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { useQuery } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { ClockProvider } from "#app/console/_components/controls/clock.tsx";
import { useLoadAhead } from "#app/console/_components/controls/lazy-component.tsx";
import { ToastProvider } from "#app/console/_components/controls/toast.tsx";
import { StepUpProvider } from "#app/console/_components/dialogs/step-up.tsx";
import type { Trouble } from "#contract/trouble.ts";
import type { UserRole } from "#domain/access.ts";
import { LiveProvider, useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { ConsoleQueries } from "../../_trpc/provider.tsx";
import { HealthLine } from "./health-line.tsx";
import { LateTroubles } from "./late-troubles.tsx";
import { Rail } from "./rail.tsx";
import { SessionEnd } from "./session-end.tsx";
import { ShortcutProvider } from "./shortcuts.tsx";
import { type Me, TopBar } from "./top-bar.tsx";
import { ViewBanner } from "./view-banner.tsx";

type FrameProps = { me: Me & { role: UserRole; viewing: boolean }; now: string; troubles: readonly Trouble[]; children: ReactNode };

/** The frame of every page of the console. */
export function Frame({ me, now, troubles, children }: FrameProps) {
  useLoadAhead();
  return (
    <CSPProvider disableStyleElements>
      <NuqsAdapter>
        <ConsoleQueries>
          <ClockProvider now={now}>
            <LiveProvider>
              <ToastProvider>
                <StepUpProvider>
                  <ShortcutProvider>
                    <div className="frame" data-mode={me.mode}>
                      <TopBar me={me} />
                      {me.partner === null ? <OperatorRail role={me.role} /> : <PartnerRail role={me.role} />}
                      <main id="main" tabIndex={-1} className="content">
                        <HealthLine isOperator={me.partner === null} first={troubles} />
                        {me.viewing && <ViewBanner partner={me.partner?.name ?? ""} />}
                        {children}
                      </main>
                    </div>
                    <LateTroubles />
                    <SessionEnd email={me.email} />
                  </ShortcutProvider>
                </StepUpProvider>
              </ToastProvider>
            </LiveProvider>
          </ClockProvider>
        </ConsoleQueries>
      </NuqsAdapter>
    </CSPProvider>
  );
}

function OperatorRail({ role }: { role: UserRole }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.tiles.queryOptions());
  useLiveChanges(({ action }) => action.startsWith("settlement."), useRefresh(trpc.settlements.tiles.queryKey()));
  return <Rail role={role} badges={{ approvals: data?.awaiting_approval.count ?? 0, callbacks: useUntaken() }} />;
}

function PartnerRail({ role }: { role: UserRole }) {
  return <Rail role={role} badges={{ approvals: 0, callbacks: useUntaken() }} />;
}

const LOOK_MS = 60_000;

/** The number of callbacks that failed and are not delivered yet, retried or given up. No event announces attempts, so it polls. */
function useUntaken(): number {
  const { data } = useQuery(useTRPC().callbacks.counts.queryOptions({}, { refetchInterval: LOOK_MS }));
  return data === undefined ? 0 : data.undelivered + data.retrying;
}
