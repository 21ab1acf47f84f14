import type { Metadata } from "next";
import { Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";

const page = pageAt("/docs/batches");
export const metadata: Metadata = { title: page.title, description: page.summary };

const STEPS = [
  ["Estimate", "POST /api/v1/settlement-batches/estimate", "What the items would cost just now. Nothing is stored."],
  ["Create", "POST /api/v1/settlement-batches", "Makes all items, each with its own quote, or none."],
  ["Confirm", "POST /api/v1/settlement-batches/{batch_id}/confirm", "Starts all payments, or none."],
  ["Requote", "POST /api/v1/settlement-batches/{batch_id}/requote", "New quotes for the items whose quote has expired."],
  ["Cancel", "POST /api/v1/settlement-batches/{batch_id}/cancel", "Ends a batch that is not confirmed, with all its items."],
];

const STATUSES = [
  ["quoted", "Made. It can be confirmed before expires_at, the earliest of its items."],
  ["processing", "Confirmed. counts says how far its items have come."],
  ["completed", "Every item has ended: executed or failed. Ended."],
  ["cancelled", "Cancelled by you, or rejected by an admin. Ended."],
];

export default function Batches() {
  return (
    <Shell current={page.path} title={page.title} lead="Up to 500 settlements in one request: made, confirmed and decided together.">
      <Section id="steps" title="Steps">
        <Table caption="The steps of a batch" columns={["Step", "Operation", "What it does"]} rows={STEPS} />
        <p>
          An item has the fields of a create and <code>external_tx_id</code>, your reference, from the beginning. Each item is an ordinary
          settlement with a <code>batch_id</code>. List them with <code>GET /api/v1/settlements?batch_id=…</code>.
        </p>
      </Section>
      <Section id="file" title="From a file">
        <p>
          An owner can pay from a CSV file in the console, under <em>Batches</em>, without a program: up to 10,000 rows. The console names
          each fault by row and column, and the results come back in the order of the rows. In live mode another owner confirms.{" "}
          <code>settle batch create FILE.csv</code> does the same at a terminal for up to 500 rows.
        </p>
      </Section>
      <Section id="all-or-none" title="All or none">
        <p>
          A fault in any item stores nothing. The answer is 422, with the place of every fault, such as <code>/items/3/wallet_address</code>
          , and the code that a create would have had. Where all faults have one code, it is the code of the whole answer.
        </p>
        <p>
          Repeat a request whose answer was lost, with the same bytes: the same <code>external_batch_id</code> answers 200 with the batch
          that exists. Other bytes are 409 <code>external_batch_id_conflict</code>.
        </p>
      </Section>
      <Section id="statuses" title="Statuses">
        <Table caption="The statuses of a batch" columns={["Status", "Meaning"]} rows={STATUSES} />
      </Section>
      <Section id="approval" title="Approval">
        <p>
          A batch awaits approval as one: where an item would, or where the items of a pair together exceed the pair’s{" "}
          <code>batch_maximum_source_amount</code>. An admin decides on all items at once, and all of them get a new price. Items are
          confirmed, cancelled and decided with their batch only: 409 <code>batch_member</code>.
        </p>
      </Section>
      <Section id="confirm" title="Confirming">
        <p>
          Send <code>expected_total</code>, such as <code>{'{"USDT": 1070.623717}'}</code>, and the batch is refused with{" "}
          <code>quote_changed</code> if it comes to another amount. If the quote of one item has expired, nothing is confirmed: 410{" "}
          <code>quote_expired</code>. Requote the batch, and confirm it again.
        </p>
      </Section>
      <Section id="callbacks" title="Callbacks">
        <p>
          An item that has a <code>callback_url</code> of its own gets the callbacks of a settlement. When every item has ended,{" "}
          <code>batch.completed</code> goes to the URL of the batch, once: the batch without its items. See{" "}
          <a href="/docs/events">Events</a>.
        </p>
      </Section>
    </Shell>
  );
}
