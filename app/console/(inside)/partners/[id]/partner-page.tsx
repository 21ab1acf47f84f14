"use client";

import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import Link from "next/link";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { Tabs } from "../../../_components/controls/tabs.tsx";
import { Id, KeyValues, Time } from "../../../_components/controls/values.tsx";
import { Refused, useDeed } from "../../../_components/dialogs/use-deed.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { AuditOf } from "../../../_components/lists/audit-of.tsx";
import { Skeleton, Stale, Trouble } from "../../../_components/lists/list-states.tsx";
import { Sums } from "../../../_components/lists/table.tsx";
import { useLiveChanges, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { ApiKeys } from "../../developers/keys/api-keys.tsx";
import { CallbackSecret } from "../../developers/keys/callback-secret.tsx";
import type { Partner } from "../answers.ts";
import { PartnerStatus, rolesInWords } from "../partner-signs.tsx";
import { FeeDialog } from "./fee-dialog.tsx";
import { OwnTerms } from "./own-terms.tsx";
import { PartnerPeople } from "./partner-people.tsx";
import { StatusDialog } from "./status-dialog.tsx";

type Props = { id: string; mayManage: boolean };

/** One partner: what it is, what it does, its keys, its terms, its people, and what was ever changed. */
export function PartnerPage({ id, mayManage }: Props) {
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
    { value: "facts", label: "Facts", content: <Facts partner={data} onFee={mayManage ? () => setAsked("fee") : null} /> },
    {
      value: "keys",
      label: "Keys",
      count: data.keys,
      content: (
        <>
          <ApiKeys partnerId={id} />
          <CallbackSecret partnerId={id} />
        </>
      ),
    },
    { value: "terms", label: "Terms", content: <OwnTerms partnerId={id} name={data.name} /> },
    { value: "people", label: "People", count: data.people, content: <PartnerPeople partnerId={id} mayManage={mayManage} /> },
    { value: "audit", label: "Audit", content: <AuditOf objectId={id} what={data.name} /> },
  ];
  return (
    <>
      <PageHeader
        within={{ href: "/console/partners", label: "Partners" }}
        title={data.name}
        actions={
          <>
            <ViewAs partnerId={id} />
            {mayManage && (
              <Button look={data.status === "active" ? "danger" : "plain"} onClick={() => setAsked("status")}>
                {data.status === "active" ? "Suspend" : "Let in again"}
              </Button>
            )}
          </>
        }
      >
        <PartnerStatus status={data.status} />
        <code className="muted">{data.slug}</code>
      </PageHeader>
      {partner.error && <Stale since={partner.dataUpdatedAt} error={partner.error} onRetry={() => void partner.refetch()} />}
      <Tabs label="Parts of the partner" tabs={tabs} value={tab} onChange={(next) => void setTab(next)} />
      {asked === "fee" && <FeeDialog partner={data} onClose={close} />}
      {asked === "status" && <StatusDialog partner={data} onClose={close} />}
    </>
  );
}

function Facts({ partner, onFee }: { partner: Partner; onFee: (() => void) | null }) {
  const { id, wallet_address, last_activity_at } = partner;
  const to = (path: string, text: string) => <Link href={path}>{text}</Link>;
  return (
    <>
      <KeyValues
        items={[
          { key: "Paid out, 30 days", value: <Sums of={partner.volume} /> },
          {
            key: "Settlements, 30 days",
            value: to(
              `/console/settlements?partner=${id}`,
              `${partner.created.toLocaleString("en")} created, ${partner.executed.toLocaleString("en")} executed, ${partner.failed.toLocaleString("en")} failed`,
            ),
          },
          {
            key: "Callbacks",
            value: to(
              `/console/callbacks?partner=${id}`,
              partner.undelivered_callbacks === 0
                ? "None undelivered"
                : `${partner.undelivered_callbacks.toLocaleString("en")} undelivered`,
            ),
          },
          { key: "Members", value: to(`/console/members?partner=${id}`, partner.members.toLocaleString("en")) },
          {
            key: "Fee on top-ups and withdrawals",
            value: (
              <>
                {partner.charge_fee_percentage} % {onFee && <Button onClick={onFee}>Change fee</Button>}
              </>
            ),
          },
          { key: "Roles", value: rolesInWords(partner.roles) },
          {
            key: "Wallet",
            value: wallet_address === null ? <span className="none">none</span> : <Id value={wallet_address} what="wallet" full />,
          },
          { key: "Partner id", value: <Id value={id} what="partner id" full /> },
          { key: "Created", value: <Time at={partner.created_at} form="absolute" /> },
          { key: "Last activity", value: last_activity_at === null ? <span className="none">never</span> : <Time at={last_activity_at} /> },
        ]}
      />
      <p className="section">
        <Link href={`/console/audit?partner=${id}`}>Everything that was recorded of this partner</Link>
      </p>
    </>
  );
}

/** From then on the console is what the partner's staff sees; every page is loaded anew. */
function ViewAs({ partnerId }: { partnerId: string }) {
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
        View as partner
      </Button>
      {deed.error !== null && <Refused error={deed.error} />}
    </>
  );
}
