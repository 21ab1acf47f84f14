import { Eye, ShieldCheck, TriangleAlert, Users } from "lucide-react";
import { KeyValues, Money, Time } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { grouped } from "../../_format/amount.ts";
import type { Preview } from "./answers.ts";

/** What a decision rests on besides the price: the rule, who is told, and whether it could be paid. */
export function DecisionFacts({ preview }: { preview: Preview }) {
  const { policy, settlement, times_maximum, cover } = preview;
  const currency = settlement.source_currency;
  const two = policy.two_approvals_above_amount;
  return (
    <>
      <KeyValues
        items={[
          {
            key: "Over the maximum",
            value: (
              <>
                <strong>{times_maximum} ×</strong> the pair's maximum of <Money amount={policy.maximum_source_amount} currency={currency} />
              </>
            ),
          },
          {
            key: "Rule",
            value: `Above ${grouped(policy.maximum_source_amount)} ${currency}: one approval${two === null ? "" : `; above ${grouped(two)} ${currency}: two`}.`,
          },
          {
            key: "Treasury",
            value: cover ? <Cover cover={cover} currency={settlement.destination_currency} /> : "No balance is known yet.",
          },
        ]}
      />
      <CallbackTarget url={preview.creation_callback_url} />
    </>
  );
}

function Cover({ cover, currency }: { cover: NonNullable<Preview["cover"]>; currency: string }) {
  return (
    <span className={cover.is_enough ? undefined : "falls-short"}>
      {!cover.is_enough && <TriangleAlert aria-hidden size={14} />} Wallet covers <strong>{cover.times} ×</strong> (
      <Money amount={cover.wallet_amount} currency={currency} />)
    </span>
  );
}

/** Who hears of an approval; where nobody does, that the partner must ask. */
function CallbackTarget({ url }: { url: string | null }) {
  if (url === null) {
    return <Note kind="warning">No callback address at creation — the partner has to poll to learn of the approval.</Note>;
  }
  return (
    <p className="small">
      <span className="muted">Approval callback to</span> <span className="url">{url}</span>
    </p>
  );
}

/** How many people must approve, and who has: nothing where one is enough. */
export function ApprovalsSoFar({ preview }: { preview: Preview }) {
  const { approvals_needed, approvals } = preview.policy;
  if (approvals_needed === 1) return null;
  const [first] = approvals;
  if (first === undefined) {
    return <Note>Two people must approve this amount. The first approval changes nothing for the partner: price and expiry stay.</Note>;
  }
  return (
    <Note>
      First approval by {first.is_mine ? "you" : first.by}, <Time at={first.at} />
      {first.note && <>: “{first.note}”</>}.{" "}
      {first.is_mine ? "Another person must give the second." : "The second decides, at the price of that moment."}
    </Note>
  );
}

/** `1 of 2`, where two must approve. */
export function ApprovalCount({ preview }: { preview: Preview }) {
  const { approvals_needed, approvals } = preview.policy;
  if (approvals_needed === 1) return null;
  const given = approvals.length;
  return (
    <span className="badge" data-tone={given > 0 ? "approved" : "pending"}>
      {given > 0 ? <ShieldCheck aria-hidden size={13} /> : <Users aria-hidden size={13} />}
      {given} of {approvals_needed}
    </span>
  );
}

export function BeingReviewed({ by }: { by: string | undefined }) {
  if (by === undefined) return null;
  return (
    <span className="badge" data-tone="quoted">
      <Eye aria-hidden size={13} />
      Being reviewed by {by}
    </span>
  );
}
