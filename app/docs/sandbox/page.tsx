import type { Metadata } from "next";
import { SIMULATED_ACCOUNTS } from "#domain/simulated-order.ts";
import { SIMULATED_RECEIVERS } from "#domain/simulated-receiver.ts";
import { SIMULATED_WALLETS } from "#domain/simulated-wallet.ts";
import { advanceClock, decide, moveRate } from "../_content/samples.ts";
import { Code, Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/sandbox");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Sandbox() {
  const site = readSite();
  return (
    <Shell current={page.path} title={page.title} lead="A whole day of waiting in a second. None of this exists in live mode.">
      <p>
        The sandbox is the service itself, on a local chain with test tokens and with rates that stay where they are put. It wrote its keys,
        users, tokens and addresses to <code>.data/sandbox.json</code>. The controls want the operator’s key in the header{" "}
        <code>apiKey</code>: <code>operator.api_key</code> of that file, below <code>$OPERATOR_API_KEY</code>.
      </p>
      <Section id="clock" title="Move the clock">
        <p>
          Ahead only, in every process at once. <code>GET /sandbox/clock</code> tells the time; both answer{" "}
          <code>{"{now, offset_seconds}"}</code>.
        </p>
        <Code label="Let a quote of five minutes expire" text={advanceClock(site)} />
        <p>
          The clock governs business time: quote expiry, the schedule of callbacks, the days that an approval may take. Real time goes on
          governing signed timestamps, nonces, keys and the age of rates: you sign with the real time.
        </p>
      </Section>
      <Section id="rates" title="Move a rate">
        <Code label="Set a mid rate" text={moveRate(site)} />
        <p>
          <code>null</code> takes the rate away: quoting is then refused with <Codes codes={["rate_unavailable"]} />.
        </p>
      </Section>
      <Section id="approval" title="Decide on a settlement">
        <p>
          Create a settlement above the pair’s maximum, then approve or reject it as the operator. Rejecting wants{" "}
          <code>{'{"reason": "…"}'}</code> with 8 characters or more, at <code>/admins/settlements/{"{tx_id}"}/reject</code>.
        </p>
        <Code label="Approve" text={decide(site)} />
      </Section>
      <Section id="outcomes" title="Force an outcome">
        <ul>
          <li>
            A payment that fails: settle to <code>outcomes.blocked_wallet</code> of <code>sandbox.json</code>. The test tokens refuse to
            move there.
          </li>
          <li>
            A payment that is held: settle to <code>outcomes.named_wallet</code>, which the sandbox’s address list names. Confirmed, it
            waits with <code>waiting_reason</code> <code>hold</code> until an admin releases or refuses it. The list is{" "}
            <code>screening.txt</code> in the data folder, and is read again when it changes.
          </li>
          <li>
            A receiver that fails: give a <code>callback_url</code> below <code>receivers.url</code> of <code>sandbox.json</code> that ends
            in one of the names below, or one on which nobody listens, and move the clock from attempt to attempt.
          </li>
          <li>
            A callback to your own machine: <code>http://localhost:…</code> is allowed here.
          </li>
          <li>
            A fiat provider that misbehaves: it goes by the end of the <code>account</code> of a top-up or withdrawal.
          </li>
        </ul>
        <Table
          caption="Merchants’ wallets"
          columns={["Wallet ends in", "What happens to the settlement"]}
          rows={Object.entries(SIMULATED_WALLETS).map(([ending, does]) => [<code key={ending}>{ending}</code>, does])}
        />
        <p>
          Any address of that ending will do, for instance <code>0x00000000000000000000000000000000000000a1</code> with its last six
          characters replaced: nobody needs its key. What is stuck holds up the payments behind it for about a minute, as it would on any
          chain. A treasury that is empty: ask for more than <code>GET /api/v1/pairs</code> tells that it can pay, and quoting is refused
          with <Codes codes={["liquidity_unavailable"]} />. Beside the treasury of a sandbox with its history stands a wallet that runs low:
          the console says so, and every payment goes out from the other one.
        </p>
        <Table
          caption="Receivers of callbacks"
          columns={["Callback URL ends in", "The receiver answers"]}
          rows={Object.entries(SIMULATED_RECEIVERS).map(([name, does]) => [<code key={name}>/{name}</code>, does])}
        />
        <Table
          caption="Accounts of the simulated provider"
          columns={["Account ends in", "The provider"]}
          rows={Object.entries(SIMULATED_ACCOUNTS).map(([ending, does]) => [<code key={ending}>{ending}</code>, does])}
        />
        {site.sandbox ? null : (
          <Note>
            <p>This installation is live: it has no such controls.</p>
          </Note>
        )}
      </Section>
    </Shell>
  );
}
