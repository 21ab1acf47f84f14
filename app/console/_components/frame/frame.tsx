"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { ClockProvider } from "#app/console/_components/controls/clock.tsx";
import { useLoadAhead } from "#app/console/_components/controls/lazy-component.tsx";
import { ToastProvider, useToast } from "#app/console/_components/controls/toast.tsx";
import { StepUpProvider } from "#app/console/_components/dialogs/step-up.tsx";
import type { Trouble } from "#contract/trouble.ts";
import type { UserRole } from "#domain/access.ts";
import { LiveProvider, useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { isShown, onNoAnswer, sentenceOf } from "../../_trpc/no-answer.ts";
import { ConsoleQueries } from "../../_trpc/provider.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { HealthLine } from "./health-line.tsx";
import { Rail } from "./rail.tsx";
import { SessionEnd } from "./session-end.tsx";
import { ShortcutProvider } from "./shortcuts.tsx";
import { type Me, TopBar } from "./top-bar.tsx";
import { LATE_TROUBLES, NO_ANSWER, VIEW_BANNER } from "./words.ts";

type FrameProps = { me: Me & { role: UserRole; viewing: boolean }; now: string; troubles: readonly Trouble[]; children: ReactNode };

/** The frame of every page of the console. */
export function Frame({ me, now, troubles, children }: FrameProps) {
  useLoadAhead();
  return (
    <CSPProvider disableStyleElements>
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
    </CSPProvider>
  );
}

function OperatorRail({ role }: { role: UserRole }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.approvals.counts.queryOptions());
  useLiveChanges(({ action }) => /^(?:settlement|batch)\./.test(action), useRefresh(trpc.approvals.counts.queryKey()));
  // What waits for somebody else's yes does not call for the user.
  const approvals = data ? data.waiting + data.second - data.others + data.batches : 0;
  return <Rail role={role} badges={{ approvals, callbacks: useUntaken() }} />;
}

function PartnerRail({ role }: { role: UserRole }) {
  return <Rail role={role} badges={{ approvals: 0, callbacks: useUntaken() }} />;
}

const LOOK_MS = 60_000;

/** The number of callbacks that were given up and need a resend. No event announces attempts, so it polls. */
function useUntaken(): number {
  const { data } = useQuery(useTRPC().callbacks.counts.queryOptions({}, { refetchInterval: LOOK_MS }));
  return data?.undelivered ?? 0;
}

/** By then, the component with the refusal has rendered it. */
const RENDERED_MS = 300;

/**
 * After an action without an answer, everything visible is read again, because the action may have succeeded. If its dialog was closed
 * meanwhile, a toast says so.
 */
function LateTroubles() {
  const [t, sentences] = [useTranslations(LATE_TROUBLES), useTranslations(NO_ANSWER)];
  const queries = useQueryClient();
  const toast = useToast();
  useEffect(
    () =>
      onNoAnswer((error) => {
        void queries.invalidateQueries({ predicate: ({ meta }) => meta?.still !== true });
        setTimeout(() => !isShown(error) && toast(t.noAnswer, sentenceOf(error, sentences)), RENDERED_MS);
      }),
    [queries, toast, t, sentences],
  );
  return null;
}

/** Above every page while an operator's user views the console as a partner's staff does. */
function ViewBanner({ partner }: { partner: string }) {
  const [t, sentences] = [useTranslations(VIEW_BANNER), useTranslations(NO_ANSWER)];
  const trpc = useTRPC();
  // The page and all caches belong to the partner's view, so everything is loaded again.
  const leave = useMutation(trpc.session.leaveView.mutationOptions({ onSuccess: () => window.location.assign("/console") }));
  return (
    <section className="view-banner" aria-label={t.label}>
      <Eye aria-hidden size={16} />
      <p>
        <Trans sentence={t.explanation} strong={<strong>{partner}</strong>} />
        {leave.error && <span role="alert"> {sentenceOf(leave.error, sentences)}</span>}
      </p>
      <Button pending={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
        {t.leave}
      </Button>
    </section>
  );
}
