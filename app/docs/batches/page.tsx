import type { Metadata } from "next";
import { BATCH_PROGRAMS } from "../_content/batch-programs.ts";
import { ALL_CLIENTS } from "../_content/in-languages.ts";
import { Code, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { Tabs } from "../_parts/tabs.tsx";

const page = pageAt("/docs/batches");
export const metadata: Metadata = { title: page.title, description: page.summary };

const STEPS = [
  ["Estimate", "POST /api/v1/settlement-batches/estimate", "Says what the items would cost now. It stores nothing."],
  ["Create", "POST /api/v1/settlement-batches", "Creates all items, each with its own quote, or none."],
  ["Confirm", "POST /api/v1/settlement-batches/{batch_id}/confirm", "Starts all payments, or none."],
  ["Requote", "POST /api/v1/settlement-batches/{batch_id}/requote", "New quotes for the items whose quote has expired."],
  ["Cancel", "POST /api/v1/settlement-batches/{batch_id}/cancel", "Ends a batch that is not confirmed, with all its items."],
];

const STATUSES = [
  ["quoted", "Created. You can confirm it before expires_at, the earliest among its items."],
  ["processing", "Confirmed. counts says how far its items have come."],
  ["completed", "Every item has ended: executed or failed. Ended."],
  ["cancelled", "Cancelled by you, or rejected by an admin. Ended."],
];

export default function Batches() {
  return (
    <Shell current={page.path} title={page.title} lead="Up to 500 settlements in one request: created, confirmed and decided together.">
      <Section id="steps" title="Steps">
        <Table caption="The steps of a batch" columns={["Step", "Operation", "What it does"]} rows={STEPS} />
        <p>
          An item has the fields of a new settlement, and your reference <code>external_tx_id</code> from the start. Each item is an
          ordinary settlement with a <code>batch_id</code>. List them with <code>GET /api/v1/settlements?batch_id=…</code>. All fields and
          answers: <a href="/docs/reference/batches">API: batches</a>.
        </p>
      </Section>
      <Section id="program" title="In a program">
        <p>
          Two payments, confirmed at their price, until every item has ended. In Go these are lines of <code>main</code>:
        </p>
        <Tabs label="Programming language of: a batch" names={ALL_CLIENTS.map(({ name }) => name)}>
          {ALL_CLIENTS.map(({ name, language }, place) => (
            <Code key={name} label={`A batch, in ${name}`} language={language} text={BATCH_PROGRAMS[place] ?? ""} />
          ))}
        </Tabs>
      </Section>
      <Section id="file" title="From a file">
        <p>
          Without a program, an owner can pay from a CSV file of up to 10,000 rows in the console, under <em>Batches</em>. The console names
          each fault by row and column, and the results come back in the order of the rows. In live mode another owner confirms.{" "}
          <code>settle batch create FILE.csv</code> does the same at a terminal for up to 500 rows.
        </p>
      </Section>
      <Section id="all-or-none" title="All or none">
        <p>
          If any item has a fault, the service stores nothing. The answer is 422 and lists every fault: its place, such as{" "}
          <code>/items/3/wallet_address</code>, and the code that a single settlement would get. If all faults have the same code, that is
          the code of the whole answer.
        </p>
        <p>
          If an answer was lost, repeat the request with the same bytes: the same <code>external_batch_id</code> returns 200 with the
          existing batch. With other bytes the answer is 409 <code>external_batch_id_conflict</code>.
        </p>
      </Section>
      <Section id="statuses" title="Statuses">
        <Table caption="The statuses of a batch" columns={["Status", "Meaning"]} rows={STATUSES} />
      </Section>
      <Section id="approval" title="Approval">
        <p>
          A whole batch awaits one approval if any item needs one, or if the items of a pair together exceed the pair’s{" "}
          <code>batch_maximum_source_amount</code>. An admin decides on all items at once, and all of them get a new price. Nobody can
          confirm, cancel or decide on an item alone: that is 409 <code>batch_member</code>.
        </p>
      </Section>
      <Section id="confirm" title="Confirming">
        <p>
          Send <code>expected_total</code>, such as <code>{'{"USDT": 1070.623717}'}</code>: for each destination currency, the sum of{" "}
          <code>destination_amount</code> over the batch’s <code>totals</code>. There is a total for each pair, and two pairs can have the
          same destination currency. Add them as decimals, not as floats; the SDKs have <code>expectedTotal</code>. If the batch comes to
          another amount, the service refuses it with <code>quote_changed</code>.
        </p>
        <p>
          If the quote of one item has expired, the service confirms nothing and returns 410 <code>quote_expired</code>. Requote the batch,
          and confirm it again.
        </p>
      </Section>
      <Section id="callbacks" title="Callbacks">
        <p>
          An item with a <code>callback_url</code> of its own gets the callbacks of a settlement. When every item has ended, one{" "}
          <code>batch.completed</code> goes to the URL of the batch. Its body is the batch without its items. See{" "}
          <a href="/docs/events">Events</a>.
        </p>
      </Section>
    </Shell>
  );
}
