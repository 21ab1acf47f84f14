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
import { RecoveryCodes } from "./recovery-codes.tsx";

/** The second factor: on or off, and the recovery codes. */
export function TwoFactors() {
  const trpc = useTRPC();
  const security = useQuery(trpc.account.security.queryOptions());
  const refresh = useRefresh(trpc.account.security.queryKey(), trpc.session.me.queryKey());
  return (
    <Section title="Two-factor sign-in" aside={security.data && <State on={security.data.two_factors} />}>
      <Answered of={security} waiting={<Skeleton rows={2} />} compact>
        {({ two_factors, recovery_codes_left, required }) =>
          two_factors ? <Kept left={recovery_codes_left} required={required} onChange={refresh} /> : <Enrolment onDone={refresh} />
        }
      </Answered>
    </Section>
  );
}

function State({ on }: { on: boolean }) {
  return (
    <span className="badge" data-tone={on ? "executed" : "lapsed"}>
      {on ? "On" : "Off"}
    </span>
  );
}

function Kept({ left, required, onChange }: { left: number; required: boolean; onChange: () => void }) {
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
        Signing in asks for your app's code. {left === 1 ? "One recovery code is" : `${left} recovery codes are`} left
        {left < 3 ? ": make new ones before the last is gone." : "."}
      </p>
      {renew.error !== null && <Refused error={renew.error} />}
      <div className="button-row">
        <Button pending={renew.pending} onClick={() => void renewCodes()}>
          New recovery codes
        </Button>
        <Button onClick={() => setMoves(!moves)} aria-expanded={moves}>
          Move to another phone
        </Button>
        {!required && (
          <Button look="danger" onClick={() => setAsksOff(true)}>
            Switch off
          </Button>
        )}
      </div>
      {required && <p className="muted">Your role asks for two factors: they cannot be switched off.</p>}
      {moves && (
        <Enrolment
          start="Show a new QR code"
          onDone={() => {
            setMoves(false);
            onChange();
          }}
        />
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
      {asksOff && (
        <DeedDialog
          title="Switch two-factor sign-in off?"
          description="The password alone signs you in then. The secret in your app and all recovery codes become worthless."
          button="Switch off"
          isDanger
          cancel="Keep it"
          deed={() => account.switchOffTwoFactors.mutate()}
          onDone={() => {
            toast("Two-factor sign-in is off", "From now on the password alone signs you in.");
            onChange();
          }}
          onClose={() => setAsksOff(false)}
        />
      )}
    </div>
  );
}
