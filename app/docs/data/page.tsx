import type { Metadata } from "next";
import { METADATA_NAME_LENGTH, METADATA_TEXT_LENGTH, MOST_METADATA } from "#domain/metadata.ts";
import { Codes, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";

const page = pageAt("/docs/data");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Data() {
  return (
    <Shell current={page.path} title={page.title} lead="Read lists page by page, keep your own notes, and compare your books with ours.">
      <Section id="pagination" title="Pagination">
        <p>
          A list returns at most <code>limit</code> items, from 1 to 100; the default is 25. The SDKs read the next pages for you.
        </p>
        <Table
          caption="How to read the next page"
          columns={["Surface", "The next page", "The last page"]}
          rows={[
            [
              <code key="v">/api/v1</code>,
              <span key="n">
                Send <code>next_cursor</code> of the answer as <code>cursor</code>.
              </span>,
              <span key="l">
                <code>next_cursor</code> is null. For <a href="/docs/follow#reading">events</a> it is always there.
              </span>,
            ],
            [
              <code key="p">/partners</code>,
              <span key="n">
                Send the header <code>X-Next-Cursor</code> of the answer as <code>cursor</code>, or count with <code>skip</code>.
              </span>,
              <span key="l">The header is empty.</span>,
            ],
          ]}
        />
        <p>
          Prefer the cursor to <code>skip</code>. Pages by cursor neither repeat nor miss an item when new ones are added. A cursor is
          opaque: never change it. Another partner’s cursor or a shortened one is 422 with <code>malformed_cursor</code>.
        </p>
      </Section>
      <Section id="metadata" title="Metadata">
        <p>
          Settlements, batches, withdrawals and top-ups take <code>metadata</code>: an object with your own notes, such as an invoice
          number. It has up to {MOST_METADATA} names of {METADATA_NAME_LENGTH} characters, with {METADATA_TEXT_LENGTH} characters each.
          Answers, events and files return it. Callbacks return it too, except those of settlements, whose fields are fixed. We never use
          it.
        </p>
        <p>
          For the reference of an order use <code>external_tx_id</code>, <code>external_batch_id</code> or <code>external_id</code> instead:
          they are unique, and you can look an order up by them.
        </p>
      </Section>
      <Section id="reconciliation" title="Reconciliation">
        <p>Compare your books with ours once a day:</p>
        <ol>
          <li>
            Read what changed: <code>GET /api/v1/settlements</code> with <code>updated_from</code> and <code>updated_to</code>, or every
            event with <a href="/docs/follow">a cursor</a>.
          </li>
          <li>
            Read all your settlements, withdrawals and top-ups in the same columns: <code>GET /partners/transactions</code>.
          </li>
          <li>
            Match by your reference, then compare status and amounts. Compare amounts <a href="/docs/amounts">as decimals</a>.
          </li>
          <li>
            Match each <code>executed</code> settlement with its <code>tx_hash</code> on the chain. A{" "}
            <a href="/docs/proofs">signed receipt</a> proves the payment to an auditor.
          </li>
        </ol>
        <p>
          A settlement that you do not know was created with one of your keys: ask who has it. An order that we do not know never arrived:
          send it again with <a href="/docs/retries#idempotency">the same Idempotency-Key</a>. If you cannot explain a difference, send us
          its <code>X-Request-Id</code>. In the console, an owner can export settlements, batches and fiat orders as CSV files.
        </p>
        <p>
          After an outage of your receiver, list the callbacks that it missed: <code>GET /api/v1/callbacks?state=undelivered</code>. An
          event cursor that is too old gets <Codes codes={["cursor_expired"]} />.
        </p>
      </Section>
    </Shell>
  );
}
