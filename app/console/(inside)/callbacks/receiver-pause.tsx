import { useMutation } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { Trouble } from "../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";

type Endpoint = Answers["callbacks"]["endpoints"]["data"][number];
type Scope = { partner_id?: string };

/** Whether a receiver is paused, by whom and since when; and the deed, for who may do it. */
export function ReceiverPause({ endpoint, scope, isOperator, mayPause }: Props) {
  const { origin, pauses } = endpoint;
  // An operator who looks at everybody pauses for everybody; one who looks at a partner, or its owner, for that partner.
  const side = isOperator && scope.partner_id === undefined ? "operator" : "partner";
  const own = pauses.find(({ by }) => by === side);
  return (
    <span className="receiver-pause">
      {pauses.map(({ by, since, reason }) => (
        <span key={by} className="small" title={reason}>
          Paused{by === side ? "" : by === "operator" ? " by the operator" : " for a partner"} <Time at={since} />
        </span>
      ))}
      {mayPause && (own ? <Resume origin={origin} scope={scope} /> : <PauseIt origin={origin} scope={scope} />)}
      {!mayPause && pauses.length === 0 && <span className="none">–</span>}
    </span>
  );
}

type Props = { endpoint: Endpoint; scope: Scope; isOperator: boolean; mayPause: boolean };

function Resume({ origin, scope }: { origin: string; scope: Scope }) {
  const trpc = useTRPC();
  const refresh = { onSettled: useRefresh(trpc.callbacks.pathKey()) };
  const resume = useMutation(trpc.callbacks.resume.mutationOptions(refresh));
  return (
    <>
      <Button icon={Play} pending={resume.isPending} onClick={() => resume.mutate({ ...scope, origin })}>
        Resume
      </Button>
      {resume.error && <Trouble error={resume.error} compact />}
    </>
  );
}

function PauseIt({ origin, scope }: { origin: string; scope: Scope }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [open, setOpen] = useState(false);
  const refresh = useRefresh(trpc.callbacks.pathKey());
  return (
    <>
      <Button look="quiet" icon={Pause} onClick={() => setOpen(true)}>
        Pause
      </Button>
      {open && (
        <DeedDialog
          title="Pause this receiver"
          reason={{ hint: "", least: 1, most: 200 }}
          button="Pause"
          deed={(reason) => client.callbacks.pause.mutate({ ...scope, origin, reason }).finally(refresh)}
          onDone={() => {}}
          onClose={() => setOpen(false)}
        >
          <p>
            Callbacks to <code className="url">{origin}</code> wait until somebody resumes it. Their due times stay: what has come due
            meanwhile goes out at once then.
          </p>
        </DeedDialog>
      )}
    </>
  );
}
