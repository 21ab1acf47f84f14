import { Eye, Layers, ShieldCheck, TriangleAlert, Users } from "lucide-react";
import { KeyValues, Money, Time } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { DEMAND } from "../policy/demand-words.ts";
import { RuleSentence } from "../policy/rule-sentence.tsx";
import type { Preview } from "./answers.ts";
import { POLICY } from "./words.ts";

/** What a decision depends on besides the price: the rule, who is notified, and whether the treasury could pay. */
export function DecisionFacts({ preview }: { preview: Preview }) {
  const t = useTranslations(POLICY);
  const asked = useTranslations(DEMAND);
  const { policy, settlement, times_maximum, cover } = preview;
  const currency = settlement.source_currency;
  const two = policy.two_approvals_above_amount;
  const { demand } = policy;
  return (
    <>
      <KeyValues
        items={[
          demand !== null && {
            key: asked.key,
            value: (
              <>
                <RuleSentence rule={demand.rule} />{" "}
                <span className="muted" translate="no">
                  {asked.rule(demand.rule.id, demand.version)}
                </span>
              </>
            ),
          },
          {
            key: t.thisAmount,
            value: (
              <Trans
                sentence={t.timesFirstThreshold}
                times={<strong>{times_maximum} ×</strong>}
                maximum={<Money amount={policy.maximum_source_amount} currency={currency} />}
              />
            ),
          },
          {
            key: t.rule,
            value: t.approvalsByAmount(
              t.format.grouped(policy.maximum_source_amount),
              currency,
              two === null ? null : t.format.grouped(two),
            ),
          },
          {
            key: t.treasury,
            value: cover ? <Cover cover={cover} currency={settlement.destination_currency} /> : t.noBalanceKnown,
          },
        ]}
      />
      <CallbackTarget url={preview.creation_callback_url} />
    </>
  );
}

function Cover({ cover, currency }: { cover: NonNullable<Preview["cover"]>; currency: string }) {
  const t = useTranslations(POLICY);
  return (
    <span className={cover.is_enough ? undefined : "falls-short"}>
      {!cover.is_enough && <TriangleAlert aria-hidden size={14} />}{" "}
      <Trans
        sentence={cover.is_enough ? t.walletCovers : t.walletHas}
        times={<strong>{cover.times === "over 100" ? t.moreThanHundred : cover.times} ×</strong>}
        amount={<Money amount={cover.wallet_amount} currency={currency} />}
      />
    </span>
  );
}

/** What waits for the same merchant, so that one request in parts is seen as one. */
export function Together({ preview: { together, policy, settlement } }: { preview: Preview }) {
  const t = useTranslations(POLICY);
  if (together === null) return null;
  const { two_approvals_above_amount: two, approvals_needed: needed } = policy;
  const limit = two === null || needed > 1 ? null : `${t.format.grouped(two)} ${settlement.source_currency}`;
  const sum = <Money amount={together.source_amount} currency={settlement.source_currency} />;
  const said = <Trans sentence={t.together(together.others, limit)} sum={<strong>{sum}</strong>} />;
  return together.is_near_two_approvals ? <Note kind="warning">{said}</Note> : <p className="small">{said}</p>;
}

/** The same in a row of the queue, where the sum is near the amount that needs two approvals. */
export function TogetherChip({ preview: { together, settlement } }: { preview: Preview }) {
  const t = useTranslations(POLICY);
  if (!together?.is_near_two_approvals) return null;
  return (
    <span className="badge" data-tone="undelivered">
      <Layers aria-hidden size={13} />
      {t.togetherShort(`${t.format.grouped(together.source_amount)} ${settlement.source_currency}`)}
    </span>
  );
}

/** Who is notified of an approval. If nobody is, it says that the partner must ask. */
function CallbackTarget({ url }: { url: string | null }) {
  const t = useTranslations(POLICY);
  if (url === null) {
    return <Note kind="warning">{t.partnerMustPoll}</Note>;
  }
  return (
    <p className="small">
      <span className="muted">{t.approvalCallbackTo}</span>{" "}
      <span className="url" translate="no">
        {url}
      </span>
    </p>
  );
}

/** How many people must approve, and who has. Empty where one is enough. */
export function ApprovalsSoFar({ preview }: { preview: Preview }) {
  const { approvals_needed: needed, approvals_given: given, approvals, may_approve, demand } = preview.policy;
  const t = useTranslations(POLICY);
  const asked = useTranslations(DEMAND);
  const notAsked = !may_approve && <Note kind="warning">{asked.someoneElse}</Note>;
  if (needed === 1) return notAsked;
  if (approvals.length === 0) {
    return (
      <>
        {notAsked}
        <Note>{t.approvalsNeeded(needed, demand === null)}</Note>
      </>
    );
  }
  const isMine = approvals.some(({ is_mine, counts }) => is_mine && counts);
  return (
    <>
      {notAsked}
      {approvals.map((each, place) => (
        <Note key={each.at}>
          <Trans sentence={t.approvalGivenBy(place, each.is_mine, each.by, each.note)} time={<Time at={each.at} />} />{" "}
          {!each.counts && `${t.approvalVoid} `}
          {place === approvals.length - 1 && t.nextStep(needed - given, isMine)}
        </Note>
      ))}
    </>
  );
}

/** `1 of 2`, where several must approve. */
export function ApprovalCount({ preview }: { preview: Preview }) {
  const t = useTranslations(POLICY);
  const { approvals_needed, approvals_given: given } = preview.policy;
  if (approvals_needed === 1) return null;
  return (
    <span className="badge" data-tone={given > 0 ? "approved" : "pending"}>
      {given > 0 ? <ShieldCheck aria-hidden size={13} /> : <Users aria-hidden size={13} />}
      {t.approvalsGiven(given, approvals_needed)}
    </span>
  );
}

export function BeingReviewed({ by }: { by: string | undefined }) {
  const t = useTranslations(POLICY);
  if (by === undefined) return null;
  return (
    <span className="badge" data-tone="quoted">
      <Eye aria-hidden size={13} />
      {t.beingReviewedBy(by)}
    </span>
  );
}
