"use client";

import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { lazyComponent } from "../../../_components/controls/lazy-component.tsx";
import { KeyValues, Time } from "../../../_components/controls/values.tsx";
import { type OneTimeSecret, SecretOnce } from "../../../_components/dialogs/secret-once.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../../_components/lists/list-states.tsx";
import { clockFace } from "../../../_format/time.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../../_words/words.ts";
import { useRealTime } from "./use-real-time.ts";
import { CALLBACK_SECRET } from "./words.ts";

const RotateSecretDialog = lazyComponent(() => import("./rotate-secret-dialog.tsx").then(({ RotateSecretDialog: Loaded }) => Loaded));

/** The partner's callback secret: its age, and its rotation. */
export function CallbackSecret({ partnerId }: { partnerId: string }) {
  const t = useTranslations(CALLBACK_SECRET);
  const trpc = useTRPC();
  const [asking, setAsking] = useState(false);
  const [secret, setSecret] = useState<OneTimeSecret | null>(null);
  const state = useQuery(trpc.developers.callbackSecret.queryOptions({ partner_id: partnerId }));
  const reload = useRefresh(trpc.developers.callbackSecret.queryKey());
  useLiveChanges(({ action }) => action.startsWith("callback_secret."), reload);
  const until = state.data?.previous_until ?? null;
  const now = useRealTime(state.data?.now, until !== null);
  if (state.isPending) return <Skeleton rows={1} />;
  if (!state.data) return <ErrorState error={state.error} onRetry={() => void state.refetch()} />;
  const left = until === null ? 0 : new Date(until).getTime() - now;
  const rotate = state.data.may_change && (
    <Button icon={RotateCw} onClick={() => setAsking(true)}>
      {t.rotateSecret}
    </Button>
  );
  return (
    <Section title={t.callbackSecret} aside={rotate}>
      <KeyValues
        items={[
          {
            key: t.signsCallbacksSince,
            value: state.data.since ? <Time at={state.data.since} form="absolute" /> : t.none,
          },
          until !== null &&
            left > 0 && {
              key: t.previousSigns,
              value: (
                <Trans
                  sentence={t.previousUntil}
                  left={left < 86_400_000 ? clockFace(left) : t.format.span(left)}
                  end={<Time at={until} form="absolute" />}
                />
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
