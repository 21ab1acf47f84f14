import type { Metadata } from "next";
import { ALL_CLIENTS } from "../_content/in-languages.ts";
import { Code, Codes, Section } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Keys } from "../_parts/program.tsx";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";
import { Tabs } from "../_parts/tabs.tsx";
import { MemberFirst, TopupProgram, Topups } from "./topups.tsx";
import { WithdrawalProgram, Withdrawals } from "./withdrawals.tsx";

const page = pageAt("/docs/fiat");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Fiat() {
  const site = readSite();
  return (
    <Shell current={page.path} title={page.title} lead="Pay fiat out of a Safe’s crypto, or collect fiat and have crypto sent to a member.">
      <p>
        First two programs, from the keys to a verified callback: a <a href="#withdrawal">withdrawal</a> and a <a href="#topup">top-up</a>.
        Then every <a href="#withdrawals">destination</a>, and every <a href="#topups">source and payment</a>, with examples and all fields.
      </p>
      <Section id="keys" title="Your keys">
        <Keys site={site} sdks="TypeScript, Python, Go and PHP" />
        <p>
          These operations take your key in <code>apiKey</code>; <code>/api/v1</code> takes it in <code>Authorization</code>. The SDKs and
          the programs below sign every change. Some keys may change nothing unsigned:{" "}
          <a href="/docs/partner-management">Partner management</a> says which. The cURL examples send only the key. The others continue
          from this; in Go these are lines of <code>main</code>:
        </p>
        <Tabs label="Programming language of: the client" names={ALL_CLIENTS.map(({ name }) => name)}>
          {ALL_CLIENTS.map(({ name, language, text }) => (
            <Code key={name} label={`The client, in ${name}`} language={language} text={text} />
          ))}
        </Tabs>
        <p>
          <code>external_id</code> is your own id of an order, and makes every request safe to repeat. The same request again returns 200
          with the existing order. A different request with that id gets <Codes codes={["conflict"]} />.
        </p>
        <p>
          The price first: <code>GET …/withdraw-fiat/preview</code> and <code>GET …/topup-fiat/preview</code> return it with the fee. Send{" "}
          <code>maximum_source_amount</code> or <code>minimum_destination_amount</code>, and another price is refused with{" "}
          <Codes codes={["quote_changed"]} />: nothing is taken.
        </p>
      </Section>
      <WithdrawalProgram site={site} />
      <MemberFirst site={site} />
      <TopupProgram site={site} />
      <Withdrawals site={site} />
      <Topups site={site} />
      <Section id="identity" title="Identity checks (KYC)">
        <p>
          You know your customers; the service does not check who a member is. It stores what you send of a member, and the operator can
          hold a payment to a wallet that screening finds.
        </p>
      </Section>
      <Section id="outcomes" title="See every outcome">
        <p>
          In the sandbox, the last characters of <code>account</code> decide what the provider does. See the{" "}
          <a href="/docs/sandbox#outcomes">table of accounts</a>.
        </p>
      </Section>
    </Shell>
  );
}
