import type { Metadata } from "next";
import { CLIENT_CHECKS, RECEIVER_CHECKS } from "../_content/certified.ts";
import { Code, Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";

const page = pageAt("/docs/certify");
export const metadata: Metadata = { title: page.title, description: page.summary };

const COMMAND = `npx settle certify --receiver https://shop.example/callbacks
npx settle certify --client "node settle-one-order.mjs"

# Without having logged in, on Node 22.18 or newer, in the repository:
CALLBACK_SECRET=whsec_… API_SECRET=sec_… node cli/certify/main.ts --receiver https://shop.example/callbacks`;

const SHEET = `Receiver: 25 of 26
  ✓ Takes settlement.executed
  …
  ✗ Finds its signature among several
      400 instead of 2xx. During a secret rotation, and with public keys, the header contains several signatures.
  …
Not passed.`;

const CLIENT = `import { SettlementClient } from "settlement-sdk";

const { SETTLEMENT_URL, API_KEY, API_SECRET, ORDER, ORDER_ID, CALLBACK_URL } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });

const quote = await client.settlements.create(JSON.parse(ORDER), { intent: ORDER_ID });
await client.settlements.confirm(quote.tx_id, {
  external_tx_id: ORDER_ID,
  expected_destination_amount: quote.destination_amount,
  callback_url: CALLBACK_URL,
});
const { status } = await client.settlements.waitForTerminal(quote.tx_id);
process.exit(status === "executed" ? 0 : 1);`;

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ["SETTLEMENT_URL", "Where the proxy listens, on this machine."],
  ["API_KEY, API_SECRET, CALLBACK_SECRET", "Your partner’s in the sandbox."],
  ["ORDER", "The body of the quote, as JSON."],
  ["ORDER_ID", "Your reference for it. Started again after a crash, it is told the same."],
  ["CALLBACK_URL", "To be given at the confirmation."],
];

export default function Certify() {
  return (
    <Shell
      current={page.path}
      title={page.title}
      lead="Whether your receiver and your client hold on a bad day, found out before there is one."
    >
      <Section id="run" title="Run it">
        <Code label="Shell" text={COMMAND} />
        <p>
          It prints a sheet: what passed, what did not, and why that matters. Exit code 0: all of it passed; 4: something did not; 2: it was
          not asked right. <code>--json</code> prints the same as JSON. Partners’ owners find the part for receivers in the console too, at{" "}
          <a href="/console/developers/receiver-check">receiver check</a>: there it is sent as every callback is, and to no address that a
          callback may not go to.
        </p>
        <Code label="A sheet" text={SHEET} />
      </Section>
      <Section id="receiver" title="The receiver">
        <p>
          It is sent samples, signed with your own secrets, and then what somebody else might send. What is good wants a 2xx, what is bad a
          4xx. Samples tell about nothing: their ids begin with ten zeros.
        </p>
        <Note>
          <p>
            A receiver that looks at the public key’s signature alone (<code>v1a</code>) does not pass: old and altered samples are signed
            here, and nothing but a real callback is signed with that key.
          </p>
          <p>
            Only answers are judged. Whether a duplicate does its work once is for your own tests: <code>webhook-id</code> is the same in
            every attempt.
          </p>
        </Note>
        <Table caption="What is checked of a receiver" columns={["It", "Else"]} rows={RECEIVER_CHECKS} />
      </Section>
      <Section id="client" title="The client">
        <p>
          Your command is started once for each check, with your sandbox behind a proxy on your machine that loses, delays and refuses what
          the check is about. It needs a running sandbox and <code>npx settle login --sandbox</code>. It settles the one order that it is
          told in its environment, and ends with 0 once that is executed, with another code where it cannot be.
        </p>
        <Table
          caption="What the command is told"
          columns={["Variable", "Meaning"]}
          rows={ENVIRONMENT.map(([name, meaning]) => [<code key={name}>{name}</code>, meaning])}
        />
        <Code label="Node.js, with the SDK: this one passes" text={CLIENT} />
        <Table caption="What is checked of a client" columns={["It", "Else"]} rows={CLIENT_CHECKS} />
        <p>
          The codes in it:{" "}
          <Codes codes={["rate_limited", "temporarily_unavailable", "quote_expired", "quote_changed", "approval_pending"]} />. The order is
          the smallest that a pair of your sandbox allows. What your client quotes and does not confirm is cancelled afterwards.
        </p>
      </Section>
    </Shell>
  );
}
