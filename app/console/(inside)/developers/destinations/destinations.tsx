"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { lazyComponent } from "../../../_components/controls/lazy-component.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { type OneTimeSecret, SecretOnce } from "../../../_components/dialogs/secret-once.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { Empty, ErrorState, Skeleton, Stale } from "../../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import type { Destination } from "./answers.ts";
import { type Act, DestinationTable } from "./destination-table.tsx";
import { DESTINATIONS } from "./words.ts";

const CreateDialog = lazyComponent(() => import("./create-destination-dialog.tsx").then((loaded) => loaded.CreateDestinationDialog));
const DIALOGS = {
  resume: lazyComponent(() => import("./change-dialogs.tsx").then((loaded) => loaded.ResumeDialog)),
  replay: lazyComponent(() => import("./change-dialogs.tsx").then((loaded) => loaded.ReplayDialog)),
  delete: lazyComponent(() => import("./change-dialogs.tsx").then((loaded) => loaded.DeleteDialog)),
};

type Asked = "create" | { what: keyof typeof DIALOGS; destination: Destination } | null;

const LOOK_MS = 5_000;

/** A partner's event destinations. Its people see them, and its owners change them. */
export function Destinations() {
  const t = useTranslations(DESTINATIONS);
  const trpc = useTRPC();
  const toast = useToast();
  const [asked, setAsked] = useState<Asked>(null);
  const [secret, setSecret] = useState<OneTimeSecret | null>(null);
  const query = useQuery(trpc.eventDestinations.list.queryOptions(undefined, { refetchInterval: LOOK_MS }));
  const reload = useRefresh(trpc.eventDestinations.list.queryKey());
  useLiveChanges(({ action }) => action.startsWith("destination."), reload);
  const settled = (title: string, more: string) => ({ onSuccess: () => toast(title, more), onSettled: reload });
  const test = useMutation(trpc.eventDestinations.test.mutationOptions(settled(t.testAsked, t.testFollows)));
  const pause = useMutation(trpc.eventDestinations.pause.mutationOptions(settled(t.paused, t.pausedMeans)));
  if (query.isPending) return <Skeleton rows={3} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { data, may_change: mayChange, has_room: hasRoom } = query.data;
  const act: Act = (what, destination) => {
    if (what === "test") test.mutate({ id: destination.id });
    else if (what === "pause") pause.mutate({ id: destination.id });
    else setAsked({ what, destination });
  };
  const close = () => setAsked(null);
  const Asking = asked === null || asked === "create" ? null : DIALOGS[asked.what];
  return (
    <>
      <p className="muted">{t.lead}</p>
      <Section
        title={t.destinations}
        aside={
          mayChange &&
          hasRoom && (
            <Button icon={Plus} look="primary" onClick={() => setAsked("create")}>
              {t.add}
            </Button>
          )
        }
      >
        {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
        {[test.error, pause.error].map((error) => error && <ErrorState key={error.message} error={error} compact />)}
        {data.length === 0 ? (
          <Empty title={t.none} more={mayChange ? t.noneMayAdd : t.noneOwnerAdds} />
        ) : (
          <DestinationTable destinations={data} onAct={mayChange ? act : null} />
        )}
        {mayChange && !hasRoom && <p className="muted small">{t.full}</p>}
      </Section>
      {asked === "create" && (
        <CreateDialog
          onClose={close}
          onIssued={(issued) => {
            setSecret(issued);
            reload();
          }}
        />
      )}
      {Asking && asked !== "create" && asked && <Asking destination={asked.destination} onClose={close} onChanged={reload} />}
      <SecretOnce secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}
