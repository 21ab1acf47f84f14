import type { Metadata } from "next";
import {
  CLI_COMMANDS,
  CLI_ELSEWHERE,
  CLI_EXIT_CODES,
  CLI_INIT,
  CLI_MISBEHAVE,
  CLI_ORDER,
  CLI_WALK,
  MCP_CLIENT,
} from "../_content/commands.ts";
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
      lead="Quote, confirm and see a verified callback before you write a line of code. Later, find out what is wrong with yours."
    >
      <Section id="walk" title="From nothing to a verified callback">
        <p>
          <code>settle</code> comes with the repository and runs in its folder on Node 18 or newer. With the sandbox running:
        </p>
        <Code label="Log in to the sandbox, and check that everything works" text={CLI_WALK.first.join("\n")} />
        <Code label="In another terminal: receive callbacks" text={CLI_WALK.listen} />
        <Code label="Make one settlement that is paid and calls back there" text={CLI_WALK.trigger} />
        <p>
          <code>listen</code> verifies callbacks with the SDK, as your own receiver should. To settle an order of your own, step by step:
        </p>
        <Code label="Quote and confirm" text={CLI_ORDER} />
        <p>
          The idempotency key of a quote comes from its <code>--intent</code>. Your reference in a confirmation comes from the settlement’s
          id, unless you name one. So you can repeat any command, even if its answer was lost.
        </p>
      </Section>
      <Section id="init" title="A project in your language">
        <p>
          One command makes a project that pays an order and receives the verified callback, in TypeScript, Python, Go or PHP. You do not
          have to log in first.
        </p>
        <Code label="Make it; the command prints how to run its tests" text={CLI_INIT} />
        <p>
          The project contains the SDK, your key in <code>.env</code>, and three tests: an order that is sent twice is paid once, a copy of
          a callback changes nothing, and a forged callback is refused. Nothing is downloaded.
        </p>
      </Section>
      <Section id="elsewhere" title="From another folder">
        <p>
          The command needs the project’s folder with its packages, but you can call it from anywhere. Replace <code>PROJECT</code> with the
          folder’s path. The last line links <code>settle</code> into your <code>PATH</code>, so that it always uses that folder.
        </p>
        <Code label="Any of these" language="sh" text={CLI_ELSEWHERE} />
        <p>
          A tarball of <code>npm pack</code> does not run on its own, and no package registry has the command.
        </p>
      </Section>
      <Section id="commands" title="Commands">
        <Table
          caption="Commands"
          columns={["Command", "What it does"]}
          rows={Object.entries(CLI_COMMANDS).map(([name, about]) => [<code key={name}>{name}</code>, `${about}.`])}
        />
        <p>
          <code>settle COMMAND --help</code> lists the options. With <code>--json</code> every message is one line of JSON on standard
          output, errors too. The output has colours only in a terminal, and none if <code>NO_COLOR</code> is set.
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
          <code>API_SECRET</code> and <code>CALLBACK_SECRET</code>. It tries them first and saves nothing that the service refuses. Only you
          can read the file; <code>SETTLE_PROFILE</code> or <code>--profile</code> names another. No command prints a secret.
        </p>
      </Section>
      <Section id="outcomes" title="Outcomes and receivers">
        <p>
          <code>settle trigger</code> causes any outcome of the <a href="/docs/sandbox#outcomes">sandbox</a>: failed, held, stuck or dropped
          payments, approvals and rejections, expired quotes, and withdrawals and top-ups that fail at the provider.{" "}
          <code>settle trigger --help</code> lists them. <code>listen</code> can also misbehave:
        </p>
        <Code label="Fail three times, hang, redirect, or forward to your own" text={CLI_MISBEHAVE} />
        <Note>
          <p>
            <code>listen</code> registers nothing: it prints the URL to give as <code>callback_url</code>. A sandbox on the same machine may
            call it; a live service cannot reach your machine. In the background (<code>npx settle listen &</code>) it ends when the process
            that started it ends, and frees its port.
          </p>
        </Note>
      </Section>
      <Section id="agents" title="For agents: MCP">
        <p>
          <code>settle mcp</code> speaks the Model Context Protocol on standard input and output, with the key you logged in with. Its tools
          search and read this documentation, and read settlements, callbacks, transactions, pairs and pools. In the sandbox they also
          quote, confirm, cancel and trigger.
        </p>
        <Code label="Configuration of an MCP client" text={MCP_CLIENT} />
        <p>
          In live mode an agent gets quotes, which pay nothing and expire by themselves. To confirm or cancel changes nothing there. The
          answer is a proposal: a link to the settlement in the console, and the command with which a person carries it out. A service that
          does not say whether it is live counts as live.
        </p>
        <Note>
          An agent that has a shell can read the same key and run <code>settle confirm</code> itself. For a live service, log in with a key
          whose only scope is <code>settlements:read</code>. The agent then reads, and neither quotes nor pays.
        </Note>
      </Section>
      <Section id="requests" title="What settle logs follows">
        <p>
          <code>settle logs --follow</code> follows transactions: your newest settlements, withdrawals and top-ups. It prints a line
          whenever the status of one changes, with amounts in units of their currency. It follows neither requests nor callbacks. The
          console lists requests, and why the service refused one, under Developers, Log; <code>settle get TX_ID --callbacks</code> lists a
          settlement’s callbacks. <code>settle get</code> reads a settlement (<code>tx_…</code>), a withdrawal (<code>wd_…</code>) or a
          top-up (<code>tu_…</code>).
        </p>
      </Section>
    </Shell>
  );
}
