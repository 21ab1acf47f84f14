import type { Metadata } from "next";
import { ACTION_TYPES, type ActionType, LIFECYCLE, type LifecycleRow } from "#domain/lifecycle.ts";
import { USUAL_LIFETIMES_SECONDS } from "#domain/pair-terms.ts";
import { SETTLEMENT_STATUSES, type SettlementStatus } from "#domain/settlement.ts";
import { duration, FACTS } from "../_content/facts.ts";
import { Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";

const page = pageAt("/docs/lifecycle");
export const metadata: Metadata = { title: page.title, description: page.summary };

const MEANING: Record<SettlementStatus, string> = {
  quoted: "A quote exists and awaits your confirmation.",
  processing: "Confirmed; the payment is under way.",
  executed: "The crypto was delivered, and the chain says so for good. Ended.",
  failed: "Nothing was paid and nothing will be; failure_reason says why. Ended.",
  cancelled: "Cancelled by you before confirmation, or rejected by an admin. Ended.",
};

const WHO: Record<ActionType, string> = {
  approve: "An admin. The quote is priced again and gets a new expires_at.",
  reject: `An admin, or the system after ${FACTS.approvalWindowDays} days.`,
  confirm: "You, before expires_at.",
  cancel: "You.",
  execute: "The chain: the transfer is final.",
  fail: "The chain: a fact, never a silence.",
};

export default function Lifecycle() {
  return (
    <Shell current={page.path} title={page.title} lead="Five statuses. Three of them are the end.">
      <Section id="statuses" title="Statuses">
        <Table
          caption="The statuses of a settlement"
          columns={["Status", "Meaning"]}
          rows={SETTLEMENT_STATUSES.map((status) => [
            <span key={status} className={`badge badge-${status}`}>
              {status}
            </span>,
            MEANING[status],
          ])}
        />
      </Section>
      <Section id="transitions" title="Transitions">
        <p>What is not in this table does not happen.</p>
        <TransitionsTable />
        <p>
          Any other action is refused: <Codes codes={["invalid_state", "approval_pending", "quote_expired"]} />. A repeat of a confirm or
          cancel that took effect is answered with 200 and the settlement as it stands.
        </p>
      </Section>
      <Section id="expiry" title="Expiry">
        <p>
          A quote is valid until <code>expires_at</code>, {duration(USUAL_LIFETIMES_SECONDS.quote)} after its creation unless your terms say
          otherwise (<a href="/docs/lifetimes">all lifetimes</a>); at that very instant it is expired. There is no status for it: an
          expired quote stays <code>quoted</code>, and confirming it is answered with 410 <Codes codes={["quote_expired"]} />. No funds have
          moved. Create a new settlement.
        </p>
      </Section>
      <Section id="waiting" title="Waiting">
        <p>
          A settlement that is <code>processing</code> and whose payment does not move says so in <code>waiting_reason</code>, and since
          when in <code>waiting_since</code>. Both are null while it moves. Nothing is lost, and you need not do anything.
        </p>
        <Table
          caption="What a payment waits for"
          columns={["waiting_reason", "Meaning"]}
          rows={[
            [<code key="t">treasury_funding</code>, "The treasury holds too little just now. It goes on when it is funded."],
            [<code key="c">chain_unavailable</code>, "The chain, or what signs for it, does not answer, or its fees are beyond bounds."],
            [<code key="r">review</code>, "People of the operator’s look into it."],
            [<code key="h">hold</code>, "It is held until people of the operator’s release it."],
          ]}
        />
      </Section>
      <Section id="approval" title="Approval">
        <p>
          A settlement strictly above its pair’s maximum is created as usual, with <code>approval_state</code> <code>pending</code>. Until
          an admin decides, confirming it is refused with <Codes codes={["approval_pending"]} />.
        </p>
        <ul>
          <li>
            Approved: the quote is priced again at the current rate, <code>expires_at</code> is set again (
            {duration(USUAL_LIFETIMES_SECONDS.approved)} from then, unless your terms say otherwise), and the approval callback goes to the{" "}
            <code>callback_url</code> that you gave at creation. Approval moves no funds: you still confirm.
          </li>
          <li>
            Rejected: the settlement is <code>cancelled</code>, with <code>rejection_reason</code>. No callback is sent.
          </li>
          <li>Nobody decides for {FACTS.approvalWindowDays} days: it is rejected.</li>
        </ul>
        <Note>
          <p>
            The amount may change at approval. Send <code>expected_destination_amount</code> when you confirm, and a quote that differs is
            refused with <Codes codes={["quote_changed"]} /> instead of confirmed.
          </p>
        </Note>
      </Section>
    </Shell>
  );
}

function TransitionsTable() {
  const rows = ACTION_TYPES.map((action) => {
    const row: LifecycleRow = LIFECYCLE[action];
    return [
      <code key={action}>{action}</code>,
      row.from,
      row.approval.map((state) => state ?? "null").join(", "),
      row.approvalBecomes === "unchanged" ? row.to : `${row.to}, ${row.approvalBecomes}`,
      row.callback ?? "none",
      WHO[action],
    ];
  });
  const columns = ["Action", "From", "approval_state", "To", "Callback", "Who and when"];
  return <Table caption="The transitions of a settlement" columns={columns} rows={rows} />;
}
