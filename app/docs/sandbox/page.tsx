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
        The sandbox is the service itself, on a local chain with test tokens and with rates that you set. It wrote its keys, users, tokens
        and addresses to <code>.data/sandbox.json</code>. The controls need the operator’s key in the header <code>apiKey</code>:{" "}
        <code>operator.api_key</code> of that file. The examples below call it <code>$OPERATOR_API_KEY</code>.
      </p>
      <Section id="clock" title="Move the clock">
        <p>
          The clock moves only forward, in every process at once. <code>GET /sandbox/clock</code> reads it; both operations return{" "}
          <code>{"{now, offset_seconds}"}</code>.
        </p>
        <Code label="Let a quote of five minutes expire" text={advanceClock(site)} />
        <p>
          The clock governs business time: quote expiry, the schedule of callbacks, the days that an approval may take. Signed timestamps,
          nonces, keys and the age of rates still use real time, so sign with the real time.
        </p>
      </Section>
      <Section id="rates" title="Move a rate">
        <Code label="Set a mid rate" text={moveRate(site)} />
        <p>
          <code>null</code> removes the rate. The service then refuses quotes with <Codes codes={["rate_unavailable"]} />.
        </p>
      </Section>
      <Section id="approval" title="Decide on a settlement">
        <p>
          Create a settlement above the pair’s maximum, then approve or reject it as the operator. To reject it, send{" "}
          <code>{'{"reason": "…"}'}</code> with 8 characters or more to <code>/admins/settlements/{"{tx_id}"}/reject</code>.
        </p>
        <Code label="Approve" text={decide(site)} />
      </Section>
      <Section id="outcomes" title="Force an outcome">
        <ul>
          <li>
            A payment that fails: settle to <code>outcomes.blocked_wallet</code> of <code>sandbox.json</code>. The test tokens refuse
            transfers to it.
          </li>
          <li>
            A payment that is held: settle to <code>outcomes.named_wallet</code>, which is on the sandbox’s address list. Once confirmed, it
            waits with <code>waiting_reason</code> <code>hold</code> until an admin releases or refuses it. The list is{" "}
            <code>screening.txt</code> in the data folder. The sandbox reads it again when it changes.
          </li>
          <li>
            A receiver that fails: give a <code>callback_url</code> under <code>receivers.url</code> of <code>sandbox.json</code> that ends
            in one of the names below. Or give one where nothing listens. Then move the clock from attempt to attempt.
          </li>
          <li>
            A callback to your own machine: <code>http://localhost:…</code> is allowed here.
          </li>
          <li>
            A fiat provider that misbehaves: the last characters of a top-up’s or withdrawal’s <code>account</code> decide what it does.
          </li>
        </ul>
        <Table
          caption="Merchants’ wallets"
          columns={["Wallet ends in", "What happens to the settlement"]}
          rows={Object.entries(SIMULATED_WALLETS).map(([ending, does]) => [<code key={ending}>{ending}</code>, does])}
        />
        <p>
          Any address with that ending works, for instance <code>0x00000000000000000000000000000000000000a1</code> with its last six
          characters replaced. You do not need its private key. A stuck payment delays the payments behind it for about a minute, as it
          would on any chain. To see an empty treasury, ask for more than it can pay, which <code>GET /api/v1/pairs</code> shows. The
          service then refuses the quote with <Codes codes={["liquidity_unavailable"]} />. A sandbox with a history has a second treasury
          wallet that runs low. The console says so, and the other wallet makes every payment.
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
