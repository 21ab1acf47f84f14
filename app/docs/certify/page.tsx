import type { Metadata } from "next";
import { BATCH_CLIENT_CHECKS, CLIENT_CHECKS, EVENT_RECEIVER_CHECKS, FIAT_CLIENT_CHECKS, RECEIVER_CHECKS } from "../_content/certified.ts";
import { Code, Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";

const page = pageAt("/docs/certify");
export const metadata: Metadata = { title: page.title, description: page.summary };

const COMMAND = `npx settle certify --receiver https://shop.example/callbacks
npx settle certify --client "node settle-one-order.mjs"
npx settle certify --batch-client "node pay-one-batch.mjs"
npx settle certify --fiat-client "node move-fiat.mjs"
EVENTS_SECRET=whsec_… npx settle certify --event-receiver https://shop.example/events

# Without logging in, on Node 22.18 or newer, in the repository:
CALLBACK_SECRET=whsec_… API_SECRET=sec_… node cli/certify/main.ts --receiver https://shop.example/callbacks`;

const REPORT = `Receiver: 25 of 26
  ✓ Takes settlement.executed
  …
  ✗ Finds its signature among several
      400 instead of 2xx. During a secret rotation, and with public keys, the header contains several signatures.
  …
Not passed.`;

const CLIENT = `import { SettlementClient } from "settlement-sdk";

const { SETTLEMENT_URL, API_KEY, API_SECRET, ORDER, ORDER_ID, CALLBACK_URL, QUERY } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });

if (QUERY) await client.settlements.list(Object.fromEntries(new URLSearchParams(QUERY))).next();
let quote = await client.settlements.create(JSON.parse(ORDER), { intent: ORDER_ID });
// An approval prices again, so read the price after it.
for (let left = 20; quote.approval_state === "pending" && left > 0; left -= 1) {
  await new Promise((wait) => setTimeout(wait, 1_000));
  quote = await client.settlements.get(quote.tx_id);
}
await client.settlements.confirm(quote.tx_id, {
  external_tx_id: ORDER_ID,
  expected_destination_amount: quote.destination_amount,
  callback_url: CALLBACK_URL,
});
const { status } = await client.settlements.waitForTerminal(quote.tx_id);
process.exit(status === "executed" ? 0 : 1);`;

const BATCH_CLIENT = `import { expectedTotal, SettlementClient } from "settlement-sdk";

const { SETTLEMENT_URL, API_KEY, API_SECRET, BATCH, BATCH_ID, CALLBACK_URL } = process.env;
const { batches } = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });

const batch = await batches.create({ external_batch_id: BATCH_ID, items: JSON.parse(BATCH), callback_url: CALLBACK_URL });
await batches.confirm(batch.batch_id, { expected_total: expectedTotal(batch.totals) });
const { counts } = await batches.waitForTerminal(batch.batch_id);
process.exit(counts.executed === batch.item_count ? 0 : 1);`;

const FIAT_CLIENT = `import { SettlementClient } from "settlement-sdk";

const { SETTLEMENT_URL, API_KEY, API_SECRET, KIND, ORDER, ORDER_ID } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });

const orders = KIND === "topup" ? client.topups : client.withdrawals;
const { id } = await orders.create({ ...JSON.parse(ORDER), external_id: ORDER_ID });
const { status } = await orders.waitForTerminal(id);
process.exit(status === "completed" ? 0 : 1);`;

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ["SETTLEMENT_URL", "Where the proxy listens, on this machine."],
  ["API_KEY, API_SECRET, CALLBACK_SECRET", "Your partner’s in the sandbox."],
  ["ORDER", "The body of the quote, as JSON."],
  ["ORDER_ID", "Your reference for it. After a crash, a new start gets the same one."],
  ["CALLBACK_URL", "The URL to send with the confirmation."],
  ["QUERY", "In one check only: list settlements with this query first."],
];

export default function Certify() {
  return (
    <Shell
      current={page.path}
      title={page.title}
      lead="Find out whether your receiver and your client handle failures, before one happens."
    >
      <Section id="run" title="Run it">
        <Code label="Shell" text={COMMAND} />
        <p>
          It prints a report: what passed, what failed, and why that matters. The exit code is 0 if everything passed, 4 if something
          failed, and 2 if the command was wrong. <code>--json</code> prints the same as JSON. Your owners can also check a receiver in the
          console, at <a href="/console/developers/receiver-check">receiver check</a>. There the service sends the samples as it sends every
          callback, and only to addresses that a callback may go to.
        </p>
        <Code label="A report" text={REPORT} />
      </Section>
      <Section id="receiver" title="The receiver">
        <p>
          The command sends it samples signed with your own secrets, and then requests that an attacker might send. It expects a 2xx for the
          valid ones and a 4xx for the others. Samples report nothing real: their ids begin with ten zeros.
        </p>
        <Note>
          <p>
            A receiver that checks only the public key’s signature (<code>v1a</code>) does not pass. The command has to sign old and altered
            samples itself, and that key signs only real callbacks.
          </p>
          <p>
            Only your answers count. To have it checked that a duplicate takes effect only once, answer with the header{" "}
            <code>X-Work-Count</code>: how many callbacks you have taken on so far, duplicates not counted. Without it, test that yourself:{" "}
            <code>webhook-id</code> is the same in every attempt.
          </p>
        </Note>
        <Table caption="Checks of a receiver" columns={["The receiver", "Otherwise"]} rows={RECEIVER_CHECKS} />
      </Section>
      <Section id="event-receiver" title="The receiver of events">
        <p>
          For the URL of an <a href="/docs/follow">event destination</a>. <code>EVENTS_SECRET</code> is the secret of the destination.
          <code>X-Work-Count</code> shows here as well whether a repeat or an older version takes effect.
        </p>
        <Table caption="Checks of a receiver of events" columns={["The receiver", "Otherwise"]} rows={EVENT_RECEIVER_CHECKS} />
      </Section>
      <Section id="client" title="The client">
        <p>
          The command starts your program once for each check. A proxy between your program and your sandbox loses, delays or refuses
          requests and answers. You need a running sandbox and <code>npx settle login --sandbox</code>. Your program settles the one order
          in its environment. It exits with 0 once that order is executed, and with another code if it cannot be.
        </p>
        <Table
          caption="The program’s environment"
          columns={["Variable", "Meaning"]}
          rows={ENVIRONMENT.map(([name, meaning]) => [<code key={name}>{name}</code>, meaning])}
        />
        <Code label="Node.js, with the SDK: this one passes" text={CLIENT} />
        <Table caption="Checks of a client" columns={["The client", "Otherwise"]} rows={CLIENT_CHECKS} />
        <p>
          Error codes in these checks:{" "}
          <Codes codes={["rate_limited", "temporarily_unavailable", "quote_expired", "quote_changed", "approval_pending"]} />. The order is
          the smallest that a pair of your sandbox allows. The command then cancels the quotes that your client did not confirm.
        </p>
      </Section>
      <Section id="batch-client" title="The client for batches">
        <p>
          For a program that pays in <a href="/docs/batches">batches</a>, <code>BATCH</code> and <code>BATCH_ID</code> take the place of{" "}
          <code>ORDER</code> and <code>ORDER_ID</code>: the items as JSON, and your reference for them. It exits with 0 once every item is
          executed.
        </p>
        <Code label="Node.js, with the SDK: this one passes" text={BATCH_CLIENT} />
        <Table
          caption="Checks of a client for batches, besides signatures and nonces"
          columns={["The client", "Otherwise"]}
          rows={BATCH_CLIENT_CHECKS}
        />
      </Section>
      <Section id="fiat-client" title="The client for withdrawals and top-ups">
        <p>
          <code>KIND</code> is <code>withdrawal</code> or <code>topup</code>, <code>ORDER</code> the body without <code>external_id</code>,
          and <code>ORDER_ID</code> your reference for it. The program exits with 0 once the order is completed, and with another code if it
          failed.
        </p>
        <Code label="Node.js, with the SDK: this one passes" text={FIAT_CLIENT} />
        <Table
          caption="Checks of a client for fiat, besides signatures and nonces"
          columns={["The client", "Otherwise"]}
          rows={FIAT_CLIENT_CHECKS}
        />
      </Section>
    </Shell>
  );
}
