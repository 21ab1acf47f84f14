"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { CodeBlock } from "../../../_components/controls/code-block.tsx";
import { FromTo } from "../../../_components/controls/from-to.tsx";
import { lazyComponent } from "../../../_components/controls/lazy-component.tsx";
import { Id, SettlementBadge } from "../../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../../_components/frame/page-parts.tsx";
import { useShortcut } from "../../../_components/frame/shortcuts.tsx";
import { AuditOf } from "../../../_components/lists/audit-of.tsx";
import { ErrorState, Skeleton, Stale } from "../../../_components/lists/list-states.tsx";
import { download } from "../../../_format/download.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../../_words/words.ts";
import type { What } from "../../approvals/foot-parts.tsx";
import { CallbackCard } from "../../callbacks/callback-view.tsx";
import { Actions } from "./actions.tsx";
import { ActivityPart } from "./activity-part.tsx";
import { ChainPart } from "./chain-part.tsx";
import { ChecksPart } from "./checks-part.tsx";
import { Facts } from "./facts.tsx";
import { HistoryPart } from "./history-part.tsx";
import type { Within } from "./neighbours.tsx";
import { Outcome } from "./outcome.tsx";
import { PricePart } from "./price-part.tsx";
import { Receipt } from "./receipt.tsx";
import type { Story } from "./story.ts";
import { CALLBACKS_PART, RAW_PART, SECTION_KEYS, SETTLEMENT_PAGE } from "./words.ts";

type Props = { txId: string; isOperator: boolean; mayDecide: boolean; mayRelease: boolean; mayResend: boolean; within: Within | null };

const Decision = lazyComponent(() => import("./decision.tsx").then(({ Decision: Loaded }) => Loaded));
const Neighbours = lazyComponent(() => import("./neighbours.tsx").then((loaded) => loaded.Neighbours));
const DemandPart = lazyComponent(() => import("./demand-part.tsx").then((loaded) => loaded.DemandPart));
const WHATS: readonly What[] = ["approve", "reject"];

/** One settlement with everything known about it. Kept up to date while it is open. */
export function SettlementPage({ txId, isOperator, mayDecide, mayRelease, mayResend, within }: Props) {
  const t = useTranslations(SETTLEMENT_PAGE);
  const trpc = useTRPC();
  const asked = useSearchParams();
  const found = asked.get("found");
  const options = trpc.settlements.byId.queryOptions({ tx_id: txId });
  const query = useQuery({ ...options, refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? 2_000 : false) });
  const callbackIds = new Set(query.data?.callback_list.map(({ id }) => id));
  useLiveChanges(({ object_id }) => object_id === txId || callbackIds.has(object_id), useRefresh(options.queryKey));
  const [deciding, setDeciding] = useState<What | null>(() => WHATS.find((what) => mayDecide && what === asked.get("decide")) ?? null);
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const story = query.data;
  const { settlement, amounts } = story;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      {found && <p className="searched-as muted">{t.foundBy(found.replaceAll("_", " "))}</p>}
      <Receipt story={story} />
      <SectionKeys />
      <PageHeader
        within={{ href: `/console/settlements${within === null ? "" : `?${within.list}`}`, label: t.settlements }}
        title={
          <FromTo
            from={{ amount: amounts.source, currency: settlement.source_currency }}
            to={{ amount: amounts.net, currency: settlement.destination_currency }}
          />
        }
        actions={
          <>
            {within && <Neighbours txId={txId} within={within} />}
            <Actions story={story} decide={mayDecide && deciding === null && isPending(story) ? setDeciding : null} />
          </>
        }
      >
        <Id value={settlement.tx_id} what={t.settlementNoun} />
        <SettlementBadge settlement={settlement} />
      </PageHeader>
      <div className="detail">
        <div className="detail-main">
          {deciding !== null && <Decision story={story} deciding={deciding} onDecide={setDeciding} />}
          <Outcome story={story} isOperator={isOperator} />
          <Facts story={story} isOperator={isOperator} />
          <Section title={t.price}>
            <PricePart story={story} />
          </Section>
          {isOperator && settlement.approval_state !== null && <DemandPart txId={txId} />}
          {isOperator && (story.payment !== null || settlement.approval_state !== null) && (
            <ChecksPart ownerId={txId} mayRelease={mayRelease} onDecided={() => void query.refetch()} />
          )}
          {story.payment && (
            <Section title={t.payment}>
              <ChainPart
                payment={story.payment}
                chain={settlement.chain}
                failure={settlement.failure_reason ?? null}
                onSigned={mayRelease ? () => void query.refetch() : undefined}
              />
            </Section>
          )}
          <Section title={t.callbacks}>
            <CallbacksPart story={story} mayResend={mayResend} />
          </Section>
        </div>
        <aside className="detail-aside" aria-label={t.timeline}>
          <HistoryPart story={story} />
        </aside>
      </div>
      <div className="detail-more">
        <Section title={t.apiActivity}>
          <ActivityPart txId={txId} />
        </Section>
        <Section title={t.partnerView}>
          <RawPart story={story} />
        </Section>
        <Section title={t.audit}>
          <AuditOf objectId={txId} what={t.thisSettlement} />
        </Section>
      </div>
    </>
  );
}

function isPending({ settlement }: Story): boolean {
  return settlement.status === "quoted" && settlement.approval_state === "pending";
}

/** Progress that the audit log does not announce: confirmations of a payment, attempts of a callback. */
function isMoving({ settlement, callback_list }: Story): boolean {
  return settlement.status === "processing" || callback_list.some(({ state }) => state === "pending");
}

type CallbackTranslations = WithShared<typeof CALLBACKS_PART>;

/** The settlement's callbacks and their attempts; or why there are none. */
function CallbacksPart({ story, mayResend }: { story: Story; mayResend: boolean }) {
  const t = useTranslations(CALLBACKS_PART);
  const { callback_list: callbacks } = story;
  if (callbacks.length === 0) return <p className="muted">{whyNone(story, t)}</p>;
  return callbacks.map((callback) => <CallbackCard key={callback.id} callback={callback} mayResend={mayResend} />);
}

function whyNone({ settlement, creation_callback_url: creationUrl }: Story, t: CallbackTranslations): string {
  if (settlement.status === "cancelled") return t.noneSent;
  if (settlement.status === "quoted" && settlement.approval_state !== null && creationUrl === null) return t.partnerMustPoll;
  return t.noneYet;
}

/** The exact answer of the API, as the partner's programs get it. */
function RawPart({ story }: { story: Story }) {
  const t = useTranslations(RAW_PART);
  const { tx_id: txId } = story.settlement;
  return (
    <details id="raw">
      <summary>
        <code>{t.request(txId)}</code>
      </summary>
      <CodeBlock label={t.answer} text={story.raw} />
      <p className="code-under">
        <Button icon={Download} onClick={() => download(`${txId}.json`, [story.raw], "application/json")}>
          {t.download}
        </Button>
      </p>
    </details>
  );
}

/** Shortcuts to the parts of the page. */
function SectionKeys() {
  const t = useTranslations(SECTION_KEYS);
  useShortcut("t", t.timeline, () => jump("[aria-label='Timeline']"));
  useShortcut("c", t.callbacks, () => jump("[aria-label='Callbacks']"));
  useShortcut("l", t.apiActivity, () => jump("[aria-label='API activity']"));
  useShortcut("v", t.partnerView, () => jump("[aria-label='What the partner sees']"));
  return null;
}

function jump(selector: string): void {
  const part = document.querySelector<HTMLElement>(`main ${selector}`);
  if (part === null) return;
  part.tabIndex = -1;
  part.scrollIntoView();
  part.focus({ preventScroll: true });
}
