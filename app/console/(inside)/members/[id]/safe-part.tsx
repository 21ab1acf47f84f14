import { useMutation, useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { Id, KeyValues, Money, Time } from "../../../_components/controls/values.tsx";
import { Refused } from "../../../_components/dialogs/use-deed.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { DeploymentProgress } from "../deployment-progress.tsx";
import type { MemberStory } from "./story.ts";

const ZERO = /^0x0{40}$/;

/** The wallet: while its Safe comes, how far; when it could not, why; and what the chain says of it. */
export function SafePart({ story, mayManage }: { story: MemberStory; mayManage: boolean }) {
  const { member, deployment } = story;
  if (member.safe_status === "failed") {
    return (
      <>
        <Note kind="danger">The Safe could not be deployed: {deployment?.failure_reason ?? "the reason is not known."}</Note>
        {mayManage && <Retry id={member.id} />}
      </>
    );
  }
  return (
    <>
      {member.safe_status === "deploying" && deployment && <DeploymentProgress deployment={deployment} />}
      {member.wallet_address !== null && member.safe_status !== "deploying" && <Seen id={member.id} isOwn={member.safe_status === null} />}
    </>
  );
}

function Retry({ id }: { id: string }) {
  const trpc = useTRPC();
  const toast = useToast();
  const retry = useMutation(
    trpc.members.retrySafe.mutationOptions({
      onSuccess: ({ external_user_id }) => toast("Queued", `A Safe is deployed for ${external_user_id}.`),
      onSettled: useRefresh(trpc.members.byId.queryKey({ id })),
    }),
  );
  return (
    <div className="safe-actions">
      {retry.error && <Refused error={retry.error} />}
      <Button pending={retry.isPending} onClick={() => retry.mutate({ id })}>
        Deploy again
      </Button>
    </div>
  );
}

/** Read from the chain when the page is opened, and again on demand. */
function Seen({ id, isOwn }: { id: string; isOwn: boolean }) {
  const trpc = useTRPC();
  const seen = useQuery(trpc.members.safe.queryOptions({ id }, { staleTime: 10_000, meta: { still: true } }));
  if (seen.isPending) return <Skeleton rows={4} label="Reading the chain" />;
  if (!seen.data) return <Trouble error={seen.error} onRetry={() => void seen.refetch()} />;
  const { safe, block, read_at, balances } = seen.data;
  return (
    <>
      <div className="read-line">
        <span className="muted">
          Read at block {block.toLocaleString("en")}, <Time at={read_at} />
        </span>
        <Button icon={RotateCw} pending={seen.isFetching} onClick={() => void seen.refetch()}>
          Refresh
        </Button>
      </div>
      {isOwn && safe === null && (
        <p className="muted">The member brought this wallet. It is no Safe: only its owner moves what it holds.</p>
      )}
      {!isOwn && safe === null && <Note kind="danger">There is no Safe at this address on the chain.</Note>}
      <KeyValues
        items={[
          ...balances.map(({ currency, amount }) => ({ key: `Holds ${currency}`, value: <Money amount={amount} currency={currency} /> })),
          ...(safe === null ? [] : safeItems(safe)),
        ]}
      />
    </>
  );
}

type Safe = NonNullable<Answers["members"]["safe"]["safe"]>;

function safeItems(safe: Safe) {
  return [
    { key: "Address", value: <Id value={safe.address} what="Safe's address" full /> },
    { key: "Version", value: safe.version },
    { key: "Threshold", value: `${safe.threshold} of ${safe.owners.length} owner${safe.owners.length === 1 ? "" : "s"}` },
    { key: safe.owners.length === 1 ? "Owner" : "Owners", value: <Addresses of={safe.owners} what="owner" /> },
    { key: "Transactions so far (nonce)", value: String(safe.nonce) },
    {
      key: "Modules",
      value: safe.modules.length === 0 ? <span className="none">None</span> : <Addresses of={safe.modules} what="module" />,
    },
    { key: "Fallback handler", value: <AddressOrNone address={safe.fallback_handler} what="fallback handler" /> },
    { key: "Guard", value: <AddressOrNone address={safe.guard} what="guard" /> },
    { key: "Logic (master copy)", value: <Id value={safe.master_copy} what="master copy" full /> },
  ];
}

function Addresses({ of, what }: { of: readonly string[]; what: string }) {
  return (
    <ul>
      {of.map((address) => (
        <li key={address}>
          <Id value={address} what={what} full />
        </li>
      ))}
    </ul>
  );
}

function AddressOrNone({ address, what }: { address: string; what: string }) {
  return ZERO.test(address) ? <span className="none">None</span> : <Id value={address} what={what} full />;
}
