import { useMutation } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { ErrorState } from "../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { RECEIVER_PAUSE } from "./pause-words.ts";

type Endpoint = Answers["callbacks"]["endpoints"]["data"][number];
type Scope = { partner_id?: string };

/** Whether a receiver is paused, by whom and since when; and the action, for users with the permission. */
export function ReceiverPause({ endpoint, scope, isOperator, mayPause }: Props) {
  const t = useTranslations(RECEIVER_PAUSE);
  const { origin, pauses } = endpoint;
  // An operator without a chosen partner pauses it for all partners. With one, or as a partner's owner, only for that partner.
  const side = isOperator && scope.partner_id === undefined ? "operator" : "partner";
  const own = pauses.find(({ by }) => by === side);
  return (
    <span className="receiver-pause">
      {pauses.map(({ by, since, reason }) => (
        <span key={by} className="small" title={reason}>
          <Trans sentence={t.paused(by, side)} time={<Time at={since} />} />
        </span>
      ))}
      {mayPause && (own ? <Resume origin={origin} scope={scope} /> : <PauseIt origin={origin} scope={scope} />)}
      {!mayPause && pauses.length === 0 && <span className="none">–</span>}
    </span>
  );
}

type Props = { endpoint: Endpoint; scope: Scope; isOperator: boolean; mayPause: boolean };

function Resume({ origin, scope }: { origin: string; scope: Scope }) {
  const t = useTranslations(RECEIVER_PAUSE);
  const trpc = useTRPC();
  const refresh = { onSettled: useRefresh(trpc.callbacks.pathKey()) };
  const resume = useMutation(trpc.callbacks.resume.mutationOptions(refresh));
  return (
    <>
      <Button icon={Play} pending={resume.isPending} onClick={() => resume.mutate({ ...scope, origin })}>
        {t.resume}
      </Button>
      {resume.error && <ErrorState error={resume.error} compact />}
    </>
  );
}

function PauseIt({ origin, scope }: { origin: string; scope: Scope }) {
  const t = useTranslations(RECEIVER_PAUSE);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [open, setOpen] = useState(false);
  const refresh = useRefresh(trpc.callbacks.pathKey());
  return (
    <>
      <Button look="quiet" icon={Pause} onClick={() => setOpen(true)}>
        {t.pause}
      </Button>
      {open && (
        <ConfirmDialog
          title={t.pauseReceiver}
          reason={{ hint: "", least: 1, most: 200 }}
          button={t.pause}
          mutation={(reason) => client.callbacks.pause.mutate({ ...scope, origin, reason }).finally(refresh)}
          onDone={() => {}}
          onClose={() => setOpen(false)}
        >
          <p>
            <Trans sentence={t.pauseMeans} code={<code className="url">{origin}</code>} />
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
