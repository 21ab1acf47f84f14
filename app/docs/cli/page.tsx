import type { Metadata } from "next";
import { CLI_COMMANDS, CLI_ELSEWHERE, CLI_EXIT_CODES, CLI_MISBEHAVE, CLI_ORDER, CLI_WALK, MCP_CLIENT } from "../_content/commands.ts";
import { Code, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";

const page = pageAt("/docs/cli");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function CommandLine() {
  return (
    <Shell
      current={page.path}
      title={page.title}
      lead="Quote, confirm and see a verified callback before you write a line; and be told what is wrong once you have."
    >
      <Section id="walk" title="From nothing to a verified callback">
        <p>
          <code>settle</code> comes with the repository and runs in its folder on Node 18 or newer. With the sandbox running:
        </p>
        <Code label="Log in to the sandbox, and look whether all is well" text={CLI_WALK.first.join("\n")} />
        <Code label="In a terminal of its own: hear callbacks" text={CLI_WALK.listen} />
        <Code label="Have one settlement paid, and its callback sent there" text={CLI_WALK.trigger} />
        <p>
          What <code>listen</code> prints as verified was checked by the SDK, as your own receiver should check it. An order of your own,
          step by step:
        </p>
        <Code label="Quote and confirm" text={CLI_ORDER} />
        <p>
          The idempotency key of a quote is derived from its <code>--intent</code>, and your reference in a confirmation from the
          settlement’s id, unless you name one. So any command may be repeated, also after an answer was lost.
        </p>
      </Section>
      <Section id="elsewhere" title="From another folder">
        <p>
          The command needs the project’s folder with its packages, but it may be called from anywhere. In place of <code>PROJECT</code> put
          the folder’s path; the last line links <code>settle</code> into your <code>PATH</code>, so that it goes with the folder.
        </p>
        <Code label="Any of these" language="sh" text={CLI_ELSEWHERE} />
        <p>
          A tarball of <code>npm pack</code> does not run by itself, and the command is in no package registry.
        </p>
      </Section>
      <Section id="commands" title="Commands">
        <Table
          caption="Commands"
          columns={["Command", "What it does"]}
          rows={Object.entries(CLI_COMMANDS).map(([name, about]) => [<code key={name}>{name}</code>, `${about}.`])}
        />
        <p>
          <code>settle COMMAND --help</code> tells the options. With <code>--json</code> each thing told is one line of JSON on standard
          output, errors too. Colour is for terminals, and for none where <code>NO_COLOR</code> is set.
        </p>
        <Table
          caption="Exit codes"
          columns={["Code", "Meaning"]}
          rows={CLI_EXIT_CODES.map(([code, meaning]) => [<code key={code}>{code}</code>, meaning])}
        />
      </Section>
      <Section id="login" title="Logging in elsewhere">
        <p>
          <code>settle login --url URL --key KEY</code> asks for the API secret and the callback secret, or reads them from{" "}
          <code>API_SECRET</code> and <code>CALLBACK_SECRET</code>. It tries them first and writes nothing that the service refuses. The
          file is readable for you alone; <code>SETTLE_PROFILE</code> or <code>--profile</code> names another. No command prints a secret.
        </p>
      </Section>
      <Section id="outcomes" title="Outcomes and receivers">
        <p>
          <code>settle trigger</code> brings about what the <a href="/docs/sandbox#outcomes">sandbox</a> can: payments that fail, are held,
          get stuck or are dropped by the chain, approvals and refusals, quotes that lapse, withdrawals and top-ups that the provider fails.{" "}
          <code>settle trigger --help</code> lists them. A receiver that misbehaves:
        </p>
        <Code label="Fail three times, hang, redirect, or hand on to your own" text={CLI_MISBEHAVE} />
        <Note>
          <p>
            <code>listen</code> registers nothing: it prints the URL to give as <code>callback_url</code>. A sandbox on the same machine may
            call it; a live service calls no address of yours. In the background (<code>npx settle listen &</code>) it ends with the process
            that you started, however that ends, and its port is free again.
          </p>
        </Note>
      </Section>
      <Section id="agents" title="For agents: MCP">
        <p>
          <code>settle mcp</code> speaks the Model Context Protocol on standard input and output, as who is logged in: search of this
          documentation and whole pages of it, reads of settlements, callbacks, transactions, pairs and pools, and in the sandbox quote,
          confirm, cancel and trigger.
        </p>
        <Code label="For a client of the protocol" text={MCP_CLIENT} />
        <p>
          In live mode an agent gets quotes, which pay nothing and lapse by themselves. Confirming and cancelling change nothing there: the
          answer is a proposal, with a link to the settlement in the console and the command by which a person carries it out. Whether a
          service is live, it says itself; one that does not say is taken for live.
        </p>
      </Section>
      <Section id="requests" title="What logs follows">
        <p>
          <code>settle logs --follow</code> follows transactions: your newest settlements, withdrawals and top-ups, a line whenever the
          status of one has changed, with amounts in units of their currency. It follows neither requests nor callbacks. The requests, with
          why one was refused, stand in the console under Developers, Log; a settlement’s callbacks are told by{" "}
          <code>settle get TX_ID --callbacks</code>. <code>settle get</code> reads a settlement (<code>tx_…</code>), a withdrawal (
          <code>wd_…</code>) or a top-up (<code>tu_…</code>).
        </p>
      </Section>
    </Shell>
  );
}
