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
  quoted: "The quote waits for your confirmation.",
  processing: "Confirmed; the payment is under way.",
  executed: "The crypto was delivered, and the transfer is final on the chain. Ended.",
  failed: "Nothing was paid and nothing will be; failure_reason says why. Ended.",
  cancelled: "Cancelled by you before confirmation, or rejected by an admin. Ended.",
};

const WHO: Record<ActionType, string> = {
  approve: "An admin. The quote gets a new price and a new expires_at.",
  reject: `An admin, or the system after ${FACTS.approvalWindowDays} days.`,
  confirm: "You, before expires_at.",
  cancel: "You.",
  execute: "The chain: the transfer is final.",
  fail: "The chain: it proves that nothing was paid. Silence never fails a settlement.",
};

export default function Lifecycle() {
  return (
    <Shell current={page.path} title={page.title} lead="Five statuses, three of them final.">
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
        <p>There are no other transitions.</p>
        <TransitionsTable />
        <p>
          The service refuses any other action: <Codes codes={["invalid_state", "approval_pending", "quote_expired"]} />. A repeat of a
          confirm or cancel that took effect returns 200 and the settlement as it is now.
        </p>
      </Section>
      <Section id="expiry" title="Expiry">
        <p>
          A quote is valid until <code>expires_at</code>, {duration(USUAL_LIFETIMES_SECONDS.quote)} after its creation unless your terms say
          otherwise (<a href="/docs/lifetimes">all lifetimes</a>). At that instant it has expired. There is no status for this: an expired
          quote stays <code>quoted</code>, and confirming it returns 410 <Codes codes={["quote_expired"]} />. No funds have moved. Create a
          new settlement.
        </p>
      </Section>
      <Section id="waiting" title="Waiting">
        <p>
          While a payment makes no progress, its settlement stays <code>processing</code>. <code>waiting_reason</code> says why it waits,
          and <code>waiting_since</code> since when; otherwise both are null. Nothing is lost, and you need not do anything.
        </p>
        <Table
          caption="What a payment waits for"
          columns={["waiting_reason", "Meaning"]}
          rows={[
            [<code key="t">treasury_funding</code>, "The treasury has too little right now. The payment continues when it is funded."],
            [<code key="c">chain_unavailable</code>, "The chain or the signer does not answer, or the chain’s fees are above the limit."],
            [<code key="r">review</code>, "The operator is reviewing it."],
            [<code key="h">hold</code>, "It is on hold until the operator releases it."],
          ]}
        />
      </Section>
      <Section id="approval" title="Approval">
        <p>
          Some settlements need an approval: above their pair’s maximum or a limit, or where the operator’s policy asks for one. They are
          created as usual, with <code>approval_state</code> <code>pending</code>. Until an admin decides, the service refuses a
          confirmation with <Codes codes={["approval_pending"]} />.
        </p>
        <ul>
          <li>
            Approved: the quote gets a new price at the current rate and a new <code>expires_at</code>,{" "}
            {duration(USUAL_LIFETIMES_SECONDS.approved)} later unless your terms say otherwise. The approval callback goes to the{" "}
            <code>callback_url</code> that you gave at creation. Approval moves no funds: you still confirm.
          </li>
          <li>
            Rejected: the settlement is <code>cancelled</code>, with <code>rejection_reason</code>. No callback is sent.
          </li>
          <li>Undecided for {FACTS.approvalWindowDays} days: the service rejects the settlement.</li>
        </ul>
        <Note>
          <p>
            The amount may change at approval. Send <code>expected_destination_amount</code> when you confirm: the service then refuses a
            quote that differs with <Codes codes={["quote_changed"]} />.
          </p>
        </Note>
      </Section>
      <Section id="refunds" title="Failures and refunds">
        <ul>
          <li>
            A payment on a chain is final, so an <code>executed</code> settlement cannot be refunded. Ask the merchant to pay you back.
          </li>
          <li>
            A <code>failed</code> or <code>cancelled</code> settlement has paid nothing: there is nothing to refund. Create a new one to pay
            after all.
          </li>
          <li>
            A failed withdrawal returns the crypto that it took: <code>return_tx_hash</code> is the transaction. See{" "}
            <a href="/docs/fiat">Fiat in and out</a>.
          </li>
        </ul>
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
