import type { Metadata } from "next";
import { LANGUAGES, THE_CLIENT } from "../_content/in-languages.ts";
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
        Then every <a href="#withdrawals">destination</a>, <a href="#topups">source and payment</a>, by example and field by field.
      </p>
      <Section id="keys" title="Your keys">
        <Keys site={site} />
        <p>
          These operations carry your key in <code>apiKey</code>, where <code>/api/v1</code> has it in <code>Authorization</code>. The SDKs
          sign what changes something, and so do the programs below; whether it has to be signed,{" "}
          <a href="/docs/partner-management">your key says</a>. The examples in cURL carry the key alone, those in TypeScript and Python go
          on from this:
        </p>
        <Tabs label="Programming language of: the client" names={LANGUAGES.slice(1)}>
          <Code label="The client, in TypeScript" language="ts" text={THE_CLIENT.typescript} />
          <Code label="The client, in Python" language="python" text={THE_CLIENT.python} />
        </Tabs>
        <p>
          <code>external_id</code> is your own name for an order, and makes every request safe to repeat: the same again is answered 200
          with what exists, anything else under it is <Codes codes={["conflict"]} />.
        </p>
      </Section>
      <WithdrawalProgram site={site} />
      <MemberFirst site={site} />
      <TopupProgram site={site} />
      <Withdrawals site={site} />
      <Topups site={site} />
      <Section id="outcomes" title="See every outcome">
        <p>
          In the sandbox the end of <code>account</code> decides what the provider does: see the{" "}
          <a href="/docs/sandbox#outcomes">table of accounts</a>.
        </p>
      </Section>
    </Shell>
  );
}
