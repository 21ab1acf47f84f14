"use client";

import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { KeyValues, Time } from "../../../_components/controls/values.tsx";
import { DeedDialog } from "../../../_components/dialogs/deed-dialog.tsx";
import { type OneTimeSecret, SecretOnce } from "../../../_components/dialogs/secret-once.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../../_components/lists/list-states.tsx";
import { clockFace, span } from "../../../_format/time.ts";
import { useLiveChanges, useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { useOverlap } from "./overlap.tsx";
import { useRealTime } from "./use-real-time.ts";

/** With what a partner's callbacks are signed: since when, and its rotation. */
export function CallbackSecret({ partnerId }: { partnerId: string }) {
  const trpc = useTRPC();
  const [asking, setAsking] = useState(false);
  const [secret, setSecret] = useState<OneTimeSecret | null>(null);
  const state = useQuery(trpc.developers.callbackSecret.queryOptions({ partner_id: partnerId }));
  const reload = useRefresh(trpc.developers.callbackSecret.queryKey());
  useLiveChanges(({ action }) => action.startsWith("callback_secret."), reload);
  const until = state.data?.previous_until ?? null;
  const now = useRealTime(state.data?.now, until !== null);
  if (state.isPending) return <Skeleton rows={1} />;
  if (!state.data) return <Trouble error={state.error} onRetry={() => void state.refetch()} />;
  const left = until === null ? 0 : new Date(until).getTime() - now;
  const rotate = state.data.may_change && (
    <Button icon={RotateCw} onClick={() => setAsking(true)}>
      Rotate secret
    </Button>
  );
  return (
    <Section title="Callback secret" aside={rotate}>
      <KeyValues
        items={[
          {
            key: "Signs callbacks since",
            value: state.data.since ? (
              <Time at={state.data.since} form="absolute" />
            ) : (
              "No secret yet: callbacks carry no webhook-signature"
            ),
          },
          until !== null &&
            left > 0 && {
              key: "The one before signs as well",
              value: (
                <>
                  for {left < 86_400_000 ? clockFace(left) : span(left)}, until <Time at={until} form="absolute" />
                </>
              ),
            },
        ]}
      />
      {asking && (
        <RotateSecretDialog
          partnerId={partnerId}
          onClose={() => setAsking(false)}
          onIssued={(issued) => {
            setSecret(issued);
            reload();
          }}
        />
      )}
      <SecretOnce secret={secret} onClose={() => setSecret(null)} />
    </Section>
  );
}

type RotateProps = { partnerId: string; onClose: () => void; onIssued: (secret: OneTimeSecret) => void };

function RotateSecretDialog({ partnerId, onClose, onIssued }: RotateProps) {
  const client = useTRPCClient();
  const { overlap, choice } = useOverlap();
  return (
    <DeedDialog
      title="Rotate the callback secret"
      description="While both are valid, each callback carries two signatures."
      button="Rotate secret"
      deed={() => client.developers.rotateCallbackSecret.mutate({ partner_id: partnerId, overlap_seconds: overlap })}
      onDone={({ callback_secret: value }) =>
        onIssued({
          title: "Callback secret rotated",
          values: [{ label: "Callback secret", variable: "CALLBACK_SECRET", value }],
          file: "callback-secret",
        })
      }
      onClose={onClose}
    >
      {choice}
    </DeedDialog>
  );
}
