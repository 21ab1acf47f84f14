"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Answered, Skeleton } from "../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import { Enrolment } from "./enrolment.tsx";
import { Passkeys } from "./passkeys.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { TWO_FACTORS } from "./words.ts";

/** The second factor: on or off, and the recovery codes. */
export function TwoFactors() {
  const says = useWords(TWO_FACTORS);
  const trpc = useTRPC();
  const security = useQuery(trpc.account.security.queryOptions());
  const refresh = useRefresh(trpc.account.security.queryKey(), trpc.session.me.queryKey());
  return (
    <>
      <Section title={says.title} aside={security.data && <State on={security.data.two_factors} />}>
        <Answered of={security} waiting={<Skeleton rows={2} />} compact>
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
        </Answered>
      </Section>
      <Section title={says.passkeys}>
        <Answered of={security} waiting={<Skeleton rows={2} />} compact>
          {({ totp, passkeys, passkeys_unavailable, required }) => (
            <Passkeys passkeys={passkeys} unavailable={passkeys_unavailable} isLast={required && !totp} onChange={refresh} />
          )}
        </Answered>
      </Section>
    </>
  );
}

function State({ on }: { on: boolean }) {
  const says = useWords(TWO_FACTORS);
  return (
    <span className="badge" data-tone={on ? "executed" : "lapsed"}>
      {on ? says.on : says.off}
    </span>
  );
}

type KeptProps = { left: number; required: boolean; totp: boolean; hasPasskeys: boolean; onChange: () => void };

function Kept({ left, required, totp, hasPasskeys, onChange }: KeptProps) {
  const says = useWords(TWO_FACTORS);
  const { account } = useTRPCClient();
  const renew = useDeed();
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
        {says.asks(totp, hasPasskeys)} {says.left(left)}
      </p>
      {renew.error !== null && <Refused error={renew.error} />}
      <div className="button-row">
        <Button pending={renew.pending} onClick={() => void renewCodes()}>
          {says.renew}
        </Button>
        <Button ref={mover} onClick={() => setMoves(!moves)} aria-expanded={moves}>
          {totp ? says.move : says.setUp}
        </Button>
        {totp && !required && (
          <Button look="danger" onClick={() => setAsksOff(true)}>
            {says.switchOff}
          </Button>
        )}
      </div>
      {totp && required && <p className="muted">{says.required}</p>}
      {moves && (
        <Enrolment
          start={totp ? says.showNew : says.show}
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
        <DeedDialog
          title={says.offTitle}
          description={says.offMeans}
          button={says.switchOff}
          isDanger
          cancel={says.keepIt}
          deed={() => account.switchOffTwoFactors.mutate()}
          onDone={() => {
            toast(says.offDone, says.offLeft);
            onChange();
          }}
          onClose={() => setAsksOff(false)}
        />
      )}
    </div>
  );
}
