"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { Enrolment } from "./enrolment.tsx";
import { Passkeys } from "./passkeys.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { TWO_FACTORS } from "./words.ts";

/** The second factor: on or off, and the recovery codes. */
export function TwoFactors() {
  const t = useTranslations(TWO_FACTORS);
  const trpc = useTRPC();
  const security = useQuery(trpc.account.security.queryOptions());
  const refresh = useRefresh(trpc.account.security.queryKey(), trpc.session.me.queryKey());
  return (
    <>
      <Section title={t.title} aside={security.data && <State on={security.data.two_factors} />}>
        <QueryBoundary of={security} waiting={<Skeleton rows={2} />} compact>
          {({ two_factors, totp, passkeys, recovery_codes_left, required }) => (
            <>
              {two_factors ? (
                <Kept
                  left={recovery_codes_left}
                  required={required && passkeys.length === 0}
                  totp={totp}
                  hasPasskeys={passkeys.length > 0}
                  onChange={refresh}
                />
              ) : (
                <Enrolment onDone={refresh} />
              )}
            </>
          )}
        </QueryBoundary>
      </Section>
      <Section title={t.passkeys}>
        <QueryBoundary of={security} waiting={<Skeleton rows={2} />} compact>
          {({ totp, passkeys, passkeys_unavailable, required }) => (
            <Passkeys passkeys={passkeys} unavailable={passkeys_unavailable} isLast={required && !totp} onChange={refresh} />
          )}
        </QueryBoundary>
      </Section>
    </>
  );
}

function State({ on }: { on: boolean }) {
  const t = useTranslations(TWO_FACTORS);
  return (
    <span className="badge" data-tone={on ? "executed" : "lapsed"}>
      {on ? t.on : t.off}
    </span>
  );
}

type KeptProps = { left: number; required: boolean; totp: boolean; hasPasskeys: boolean; onChange: () => void };

function Kept({ left, required, totp, hasPasskeys, onChange }: KeptProps) {
  const t = useTranslations(TWO_FACTORS);
  const { account } = useTRPCClient();
  const renew = useConfirmedMutation();
  const toast = useToast();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [asksOff, setAsksOff] = useState(false);
  const [moves, setMoves] = useState(false);
  const mover = useRef<HTMLButtonElement>(null);
  const renewCodes = () =>
    renew.run(
      () => account.renewRecoveryCodes.mutate(),
      ({ recovery_codes }) => {
        setCodes(recovery_codes);
        onChange();
      },
    );
  return (
    <div className="enrolment">
      <p>
        {t.signInAsksFor(totp, hasPasskeys)} {t.codesRemaining(left)}
      </p>
      {renew.error !== null && <Refused error={renew.error} />}
      <div className="button-row">
        <Button pending={renew.pending} onClick={() => void renewCodes()}>
          {t.renew}
        </Button>
        <Button ref={mover} onClick={() => setMoves(!moves)} aria-expanded={moves}>
          {totp ? t.move : t.setUp}
        </Button>
        {totp && !required && (
          <Button look="danger" onClick={() => setAsksOff(true)}>
            {t.switchOff}
          </Button>
        )}
      </div>
      {totp && required && <p className="muted">{t.required}</p>}
      {moves && (
        <Enrolment
          start={totp ? t.showNew : t.show}
          onDone={() => {
            setMoves(false);
            onChange();
          }}
          onCancel={() => {
            setMoves(false);
            mover.current?.focus();
          }}
        />
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
      {asksOff && (
        <ConfirmDialog
          title={t.offTitle}
          description={t.offMeans}
          button={t.switchOff}
          isDanger
          cancel={t.keepIt}
          mutation={() => account.switchOffTwoFactors.mutate()}
          onDone={() => {
            toast(t.offDone, t.offRemaining);
            onChange();
          }}
          onClose={() => setAsksOff(false)}
        />
      )}
    </div>
  );
}
