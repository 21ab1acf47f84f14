"use client";

import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import Link from "next/link";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { onDemand } from "../../../_components/controls/on-demand.tsx";
import { Tabs } from "../../../_components/controls/tabs.tsx";
import { Id, KeyValues, Time } from "../../../_components/controls/values.tsx";
import { Refused, useDeed } from "../../../_components/dialogs/use-deed.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { AuditOf } from "../../../_components/lists/audit-of.tsx";
import { Skeleton, Stale, Trouble } from "../../../_components/lists/list-states.tsx";
import { Sums } from "../../../_components/lists/table.tsx";
import { useLiveChanges, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { Data } from "../../../_words/told.tsx";
import { useWords } from "../../../_words/words.ts";
import { ApiKeys } from "../../developers/keys/api-keys.tsx";
import { CallbackSecret } from "../../developers/keys/callback-secret.tsx";
import type { Partner } from "../answers.ts";
import { PartnerStatus, rolesInWords } from "../partner-signs.tsx";
import { PARTNER_SIGNS } from "../words.ts";
import { OwnTerms } from "./own-terms.tsx";
import { PartnerPeople } from "./partner-people.tsx";
import { PARTNER_PAGE } from "./words.ts";

const FeeDialog = onDemand(() => import("./fee-dialog.tsx").then(({ FeeDialog: Loaded }) => Loaded));
const StatusDialog = onDemand(() => import("./status-dialog.tsx").then(({ StatusDialog: Loaded }) => Loaded));

type Props = { id: string; mayManage: boolean };

/** One partner: what it is, what it does, its keys, its terms, its people, and what was ever changed. */
export function PartnerPage({ id, mayManage }: Props) {
  const says = useWords(PARTNER_PAGE);
  const trpc = useTRPC();
  const [tab, setTab] = useQueryState("tab", { defaultValue: "facts" });
  const [asked, setAsked] = useState<"fee" | "status" | null>(null);
  const partner = useQuery(trpc.partners.byId.queryOptions({ partner_id: id }));
  useLiveChanges(
    ({ object_id, action }) => object_id === id || action.startsWith("settlement.executed"),
    () => void partner.refetch(),
  );
  if (partner.isPending) return <Skeleton />;
  if (!partner.data) return <Trouble error={partner.error} onRetry={() => void partner.refetch()} />;
  const { data } = partner;
  const close = () => setAsked(null);
  const tabs = [
    { value: "facts", label: says.facts, content: <Facts partner={data} onFee={mayManage ? () => setAsked("fee") : null} /> },
    {
      value: "keys",
      label: says.keys,
      count: data.keys,
      content: (
        <>
          <ApiKeys partnerId={id} />
          <CallbackSecret partnerId={id} />
        </>
      ),
    },
    { value: "terms", label: says.terms, content: <OwnTerms partnerId={id} name={data.name} /> },
    { value: "people", label: says.people, count: data.people, content: <PartnerPeople partnerId={id} mayManage={mayManage} /> },
    { value: "audit", label: says.audit, content: <AuditOf objectId={id} what={data.name} /> },
  ];
  return (
    <>
      <PageHeader
        within={{ href: "/console/partners", label: says.partners }}
        title={<Data>{data.name}</Data>}
        actions={
          <>
            <ViewAs partnerId={id} />
            {mayManage && (
              <Button look={data.status === "active" ? "danger" : "plain"} onClick={() => setAsked("status")}>
                {data.status === "active" ? says.suspend : says.letAgain}
              </Button>
            )}
          </>
        }
      >
        <PartnerStatus status={data.status} />
        <code className="muted" translate="no">
          {data.slug}
        </code>
      </PageHeader>
      {partner.error && <Stale since={partner.dataUpdatedAt} error={partner.error} onRetry={() => void partner.refetch()} />}
      <Tabs label={says.tabs} tabs={tabs} value={tab} onChange={(next) => void setTab(next)} />
      {asked === "fee" && <FeeDialog partner={data} onClose={close} />}
      {asked === "status" && <StatusDialog partner={data} onClose={close} />}
    </>
  );
}

function Facts({ partner, onFee }: { partner: Partner; onFee: (() => void) | null }) {
  const says = useWords(PARTNER_PAGE);
  const signs = useWords(PARTNER_SIGNS);
  const { id, wallet_address, last_activity_at } = partner;
  const to = (path: string, text: string) => <Link href={path}>{text}</Link>;
  return (
    <>
      <KeyValues
        items={[
          { key: says.paidOut, value: <Sums of={partner.volume} /> },
          {
            key: says.settlements,
            value: to(
              `/console/settlements?partner=${id}`,
              says.counts(partner.created.toLocaleString("en"), partner.executed.toLocaleString("en"), partner.failed.toLocaleString("en")),
            ),
          },
          {
            key: says.callbacks,
            value: to(
              `/console/callbacks?partner=${id}`,
              [
                ...(partner.retrying_callbacks === 0 ? [] : [says.retrying(partner.retrying_callbacks.toLocaleString("en"))]),
                partner.undelivered_callbacks === 0
                  ? says.noneUndelivered
                  : says.undelivered(partner.undelivered_callbacks.toLocaleString("en")),
              ].join(" · "),
            ),
          },
          { key: says.members, value: to(`/console/members?partner=${id}`, partner.members.toLocaleString("en")) },
          {
            key: says.fee,
            value: (
              <>
                {partner.charge_fee_percentage} % {onFee && <Button onClick={onFee}>{says.changeFee}</Button>}
              </>
            ),
          },
          { key: says.roles, value: rolesInWords(partner.roles, signs) },
          {
            key: says.wallet,
            value:
              wallet_address === null ? (
                <span className="none">{says.none}</span>
              ) : (
                <Id value={wallet_address} what={says.theWallet} full />
              ),
          },
          { key: says.partnerId, value: <Id value={id} what={says.thePartnerId} full /> },
          { key: says.created, value: <Time at={partner.created_at} form="absolute" /> },
          {
            key: says.lastActivity,
            value: last_activity_at === null ? <span className="none">{says.never}</span> : <Time at={last_activity_at} />,
          },
        ]}
      />
      <p className="section">
        <Link href={`/console/audit?partner=${id}`}>{says.everything}</Link>
      </p>
    </>
  );
}

/** From then on the console is what the partner's staff sees; every page is loaded anew. */
function ViewAs({ partnerId }: { partnerId: string }) {
  const says = useWords(PARTNER_PAGE);
  const client = useTRPCClient();
  const deed = useDeed();
  const view = () =>
    deed.run(
      () => client.session.viewAs.mutate({ partner_id: partnerId }),
      () => window.location.assign("/console"),
    );
  return (
    <>
      <Button icon={Eye} pending={deed.pending} onClick={() => void view()}>
        {says.viewAs}
      </Button>
      {deed.error !== null && <Refused error={deed.error} />}
    </>
  );
}
