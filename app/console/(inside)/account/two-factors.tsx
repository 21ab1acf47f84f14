"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Answered, Skeleton } from "../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Enrolment } from "./enrolment.tsx";
import { Passkeys } from "./passkeys.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** The second factor: on or off, and the recovery codes. */
export function TwoFactors() {
  const trpc = useTRPC();
  const security = useQuery(trpc.account.security.queryOptions());
  const refresh = useRefresh(trpc.account.security.queryKey(), trpc.session.me.queryKey());
  return (
    <>
      <Section title="Two-factor sign-in" aside={security.data && <State on={security.data.two_factors} />}>
        <Answered of={security} waiting={<Skeleton rows={2} />} compact>
          {({ two_factors, totp, passkeys, recovery_codes_left, required }) => (
            <>
              {two_factors ? (
                <Kept left={recovery_codes_left} required={required && passkeys.length === 0} totp={totp} onChange={refresh} />
              ) : (
                <Enrolment onDone={refresh} />
              )}
            </>
          )}
        </Answered>
      </Section>
      <Section title="Passkeys">
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
  return (
    <span className="badge" data-tone={on ? "executed" : "lapsed"}>
      {on ? "On" : "Off"}
    </span>
  );
}

type KeptProps = { left: number; required: boolean; totp: boolean; onChange: () => void };

function Kept({ left, required, totp, onChange }: KeptProps) {
  const { account } = useTRPCClient();
  const renew = useDeed();
  const toast = useToast();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [asksOff, setAsksOff] = useState(false);
  const [moves, setMoves] = useState(false);
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
        {totp ? "Signing in asks for your app's code." : "Signing in asks for a passkey."}{" "}
        {left === 1 ? "One recovery code is" : `${left} recovery codes are`} left
        {left < 3 ? ": make new ones before the last is gone." : "."}
      </p>
      {renew.error !== null && <Refused error={renew.error} />}
      <div className="button-row">
        <Button pending={renew.pending} onClick={() => void renewCodes()}>
          New recovery codes
        </Button>
        <Button onClick={() => setMoves(!moves)} aria-expanded={moves}>
          {totp ? "Move to another phone" : "Set up an authenticator app"}
        </Button>
        {totp && !required && (
          <Button look="danger" onClick={() => setAsksOff(true)}>
            Switch off
          </Button>
        )}
      </div>
      {totp && required && <p className="muted">Your role asks for two factors: they cannot be switched off.</p>}
      {moves && (
        <Enrolment
          start={totp ? "Show a new QR code" : "Show a QR code"}
          onDone={() => {
            setMoves(false);
            onChange();
          }}
        />
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
      {asksOff && (
        <DeedDialog
          title="Switch the app's codes off?"
          description="The secret in your app becomes worthless. Without a passkey the password alone signs you in then, and the recovery codes are gone too."
          button="Switch off"
          isDanger
          cancel="Keep it"
          deed={() => account.switchOffTwoFactors.mutate()}
          onDone={() => {
            toast("The app's codes are off", "What is left of your factors stands under Account.");
            onChange();
          }}
          onClose={() => setAsksOff(false)}
        />
      )}
    </div>
  );
}
