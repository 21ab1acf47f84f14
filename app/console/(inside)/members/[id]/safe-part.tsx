import { useMutation, useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { Id, KeyValues, Money, Time } from "../../../_components/controls/values.tsx";
import { Refused } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { Data, Served, Trans, useTranslations, type WithShared } from "../../../_words/words.ts";
import { DeploymentProgress } from "../deployment-progress.tsx";
import type { MemberStory } from "./story.ts";
import { SAFE_PART } from "./words.ts";

type Translations = WithShared<typeof SAFE_PART>;

const ZERO = /^0x0{40}$/;

/** The wallet: the progress of its Safe's deployment or why that failed, and its state on the chain. */
export function SafePart({ story, mayManage }: { story: MemberStory; mayManage: boolean }) {
  const t = useTranslations(SAFE_PART);
  const { member, deployment } = story;
  if (member.safe_status === "failed") {
    return (
      <>
        <Note kind="danger">
          <Trans sentence={t.failed} reason={deployment?.failure_reason ? <Served>{deployment.failure_reason}</Served> : t.reasonUnknown} />
        </Note>
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
  const t = useTranslations(SAFE_PART);
  const trpc = useTRPC();
  const toast = useToast();
  const retry = useMutation(
    trpc.members.retrySafe.mutationOptions({
      onSuccess: ({ external_user_id }) => toast(t.queued, t.queuedMore(external_user_id)),
      onSettled: useRefresh(trpc.members.byId.queryKey({ id })),
    }),
  );
  return (
    <div className="safe-actions">
      {retry.error && <Refused error={retry.error} />}
      <Button pending={retry.isPending} onClick={() => retry.mutate({ id })}>
        {t.deployAgain}
      </Button>
    </div>
  );
}

/** Read from the chain when the page opens, and again on demand. */
function Seen({ id, isOwn }: { id: string; isOwn: boolean }) {
  const t = useTranslations(SAFE_PART);
  const trpc = useTRPC();
  const seen = useQuery(trpc.members.safe.queryOptions({ id }, { staleTime: 10_000, meta: { still: true } }));
  if (seen.isPending) return <Skeleton rows={4} label={t.readingChain} />;
  if (!seen.data) return <ErrorState error={seen.error} onRetry={() => void seen.refetch()} />;
  const { safe, block, read_at, balances } = seen.data;
  return (
    <>
      <div className="read-line">
        <span className="muted">
          <Trans sentence={t.readAt(t.format.count(block))} time={<Time at={read_at} />} />
        </span>
        <Button icon={RotateCw} pending={seen.isFetching} onClick={() => void seen.refetch()}>
          {t.refresh}
        </Button>
      </div>
      {isOwn && safe === null && <p className="muted">{t.ownWallet}</p>}
      {!isOwn && safe === null && <Note kind="danger">{t.noSafe}</Note>}
      <KeyValues
        items={[
          ...balances.map(({ currency, amount }) => ({ key: t.balance(currency), value: <Money amount={amount} currency={currency} /> })),
          ...(safe === null ? [] : safeItems(safe, t)),
        ]}
      />
    </>
  );
}

type Safe = NonNullable<Answers["members"]["safe"]["safe"]>;

function safeItems(safe: Safe, t: Translations) {
  return [
    { key: t.address, value: <Id value={safe.address} what={t.safesAddress} full /> },
    { key: t.version, value: <Data>{safe.version}</Data> },
    { key: t.threshold, value: t.ofOwners(safe.threshold, safe.owners.length) },
    { key: t.owners(safe.owners.length), value: <Addresses of={safe.owners} what={t.ownerNoun} /> },
    { key: t.nonce, value: String(safe.nonce) },
    {
      key: t.modules,
      value: safe.modules.length === 0 ? <span className="none">{t.none}</span> : <Addresses of={safe.modules} what={t.module} />,
    },
    { key: t.fallbackHandler, value: <AddressOrNone address={safe.fallback_handler} what={t.fallbackHandlerNoun} /> },
    { key: t.guard, value: <AddressOrNone address={safe.guard} what={t.guardNoun} /> },
    { key: t.logic, value: <Id value={safe.master_copy} what={t.masterCopy} full /> },
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
  const t = useTranslations(SAFE_PART);
  return ZERO.test(address) ? <span className="none">{t.none}</span> : <Id value={address} what={what} full />;
}
