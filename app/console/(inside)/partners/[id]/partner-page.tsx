"use client";

import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { lazyComponent } from "../../../_components/controls/lazy-component.tsx";
import { Link } from "../../../_components/controls/link.tsx";
import { Tabs } from "../../../_components/controls/tabs.tsx";
import { Id, KeyValues, Time } from "../../../_components/controls/values.tsx";
import { Refused, useConfirmedMutation } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { oneOf } from "../../../_components/lists/address-params.ts";
import { AuditOf } from "../../../_components/lists/audit-of.tsx";
import { ErrorState, Skeleton, Stale } from "../../../_components/lists/list-states.tsx";
import { Sums } from "../../../_components/lists/sums.tsx";
import { useAddressParams } from "../../../_components/lists/use-address-params.ts";
import { useLiveChanges, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { Data, useTranslations } from "../../../_words/words.ts";
import { ApiKeys } from "../../developers/keys/api-keys.tsx";
import { CallbackSecret } from "../../developers/keys/callback-secret.tsx";
import type { Partner } from "../answers.ts";
import { PartnerStatus, rolesInWords } from "../partner-signs.tsx";
import { PARTNER_SIGNS } from "../words.ts";
import { OwnTerms } from "./own-terms.tsx";
import { PartnerPeople } from "./partner-people.tsx";
import { PARTNER_PAGE } from "./words.ts";

const FeeDialog = lazyComponent(() => import("./fee-dialog.tsx").then(({ FeeDialog: Loaded }) => Loaded));
const PartnerAccount = lazyComponent(() => import("./partner-account.tsx").then(({ PartnerAccount: Loaded }) => Loaded));
const StatusDialog = lazyComponent(() => import("./status-dialog.tsx").then(({ StatusDialog: Loaded }) => Loaded));

type Props = { id: string; mayManage: boolean };

const TABS = ["facts", "keys", "account", "terms", "people", "audit"] as const;
const PARAMS = { tab: oneOf(TABS, "facts") };

/** One partner: its details, figures, keys, terms, people, and its change history. */
export function PartnerPage({ id, mayManage }: Props) {
  const t = useTranslations(PARTNER_PAGE);
  const trpc = useTRPC();
  const [{ tab }, set] = useAddressParams(PARAMS, "replace");
  const [asked, setAsked] = useState<"fee" | "status" | null>(null);
  const partner = useQuery(trpc.partners.byId.queryOptions({ partner_id: id }));
  useLiveChanges(
    ({ object_id, action }) => object_id === id || action.startsWith("settlement.executed"),
    () => void partner.refetch(),
  );
  if (partner.isPending) return <Skeleton />;
  if (!partner.data) return <ErrorState error={partner.error} onRetry={() => void partner.refetch()} />;
  const { data } = partner;
  const close = () => setAsked(null);
  const tabs = [
    { value: "facts", label: t.facts, content: <Facts partner={data} onFee={mayManage ? () => setAsked("fee") : null} /> },
    {
      value: "keys",
      label: t.keys,
      count: data.keys,
      content: (
        <>
          <ApiKeys partnerId={id} />
          <CallbackSecret partnerId={id} />
        </>
      ),
    },
    { value: "account", label: t.account, content: <PartnerAccount partner={data} mayManage={mayManage} /> },
    { value: "terms", label: t.terms, content: <OwnTerms partnerId={id} name={data.name} /> },
    { value: "people", label: t.people, count: data.people, content: <PartnerPeople partnerId={id} mayManage={mayManage} /> },
    { value: "audit", label: t.audit, content: <AuditOf objectId={id} what={data.name} /> },
  ];
  return (
    <>
      <PageHeader
        within={{ href: "/console/partners", label: t.partners }}
        title={<Data>{data.name}</Data>}
        actions={
          <>
            <ViewAs partnerId={id} />
            {mayManage && (
              <Button look={data.status === "active" ? "danger" : "plain"} onClick={() => setAsked("status")}>
                {data.status === "active" ? t.suspend : t.reactivate}
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
      <Tabs label={t.tabs} tabs={tabs} value={tab} onChange={(next) => set({ tab: TABS.find((each) => each === next) ?? null })} />
      {asked === "fee" && <FeeDialog partner={data} onClose={close} />}
      {asked === "status" && <StatusDialog partner={data} onClose={close} />}
    </>
  );
}

function Facts({ partner, onFee }: { partner: Partner; onFee: (() => void) | null }) {
  const t = useTranslations(PARTNER_PAGE);
  const signs = useTranslations(PARTNER_SIGNS);
  const { id, wallet_address, last_activity_at } = partner;
  const to = (path: string, text: string) => <Link href={path}>{text}</Link>;
  return (
    <>
      <KeyValues
        items={[
          { key: t.paidOut, value: <Sums of={partner.volume} /> },
          {
            key: t.settlements,
            value: to(
              `/console/settlements?partner=${id}`,
              t.counts(t.format.count(partner.created), t.format.count(partner.executed), t.format.count(partner.failed)),
            ),
          },
          {
            key: t.callbacks,
            value: to(
              `/console/callbacks?partner=${id}`,
              [
                ...(partner.retrying_callbacks === 0 ? [] : [t.retrying(t.format.count(partner.retrying_callbacks))]),
                partner.undelivered_callbacks === 0 ? t.noneUndelivered : t.undelivered(t.format.count(partner.undelivered_callbacks)),
              ].join(" · "),
            ),
          },
          { key: t.members, value: to(`/console/members?partner=${id}`, t.format.count(partner.members)) },
          {
            key: t.fee,
            value: (
              <>
                {partner.charge_fee_percentage} % {onFee && <Button onClick={onFee}>{t.changeFee}</Button>}
              </>
            ),
          },
          { key: t.roles, value: rolesInWords(partner.roles, signs) },
          {
            key: t.wallet,
            value:
              wallet_address === null ? <span className="none">{t.noneNoun}</span> : <Id value={wallet_address} what={t.walletNoun} full />,
          },
          { key: t.partnerId, value: <Id value={id} what={t.partnerIdNoun} full /> },
          { key: t.created, value: <Time at={partner.created_at} form="absolute" /> },
          {
            key: t.lastActivity,
            value: last_activity_at === null ? <span className="none">{t.never}</span> : <Time at={last_activity_at} />,
          },
        ]}
      />
      <p className="section">
        <Link href={`/console/audit?partner=${id}`}>{t.everything}</Link>
      </p>
    </>
  );
}

/** From then on the console shows what the partner's staff sees; every page is loaded again. */
function ViewAs({ partnerId }: { partnerId: string }) {
  const t = useTranslations(PARTNER_PAGE);
  const client = useTRPCClient();
  const mutation = useConfirmedMutation();
  const view = () =>
    mutation.run(
      () => client.session.viewAs.mutate({ partner_id: partnerId }),
      () => window.location.assign("/console"),
    );
  return (
    <>
      <Button icon={Eye} pending={mutation.pending} onClick={() => void view()}>
        {t.viewAs}
      </Button>
      {mutation.error !== null && <Refused error={mutation.error} />}
    </>
  );
}
