import type { Metadata } from "next";
import { LIFETIMES } from "../_content/lifetimes.ts";
import { Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";

const page = pageAt("/docs/lifetimes");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Lifetimes() {
  return (
    <Shell current={page.path} title={page.title} lead="How long each object stays valid, and what happens when it expires.">
      <Table
        caption="Lifetimes"
        columns={["What", "How long", "Clock", "Then"]}
        rows={LIFETIMES.map(({ what, lives, clock, after }) => [what, lives, clock, after])}
      />
      <Section id="clocks" title="Two clocks">
        <p>
          The <em>business</em> clock governs what is stored or due. In live mode it is the real time. In a sandbox you can{" "}
          <a href="/docs/sandbox#clock">move it ahead</a>, so that a quote expires or a whole schedule passes at once. Signatures and keys
          always use <em>real</em> time, whatever the sandbox’s clock says.
        </p>
        <p>
          Where an answer contains an instant (<code>expires_at</code>, <code>next_attempt_at</code>), rely on it and not on this table. A
          quote has expired at the instant of <code>expires_at</code>.
        </p>
      </Section>
      <Section id="lives" title="Lifecycles">
        <ul>
          <li>
            A settlement: <a href="/docs/lifecycle">statuses and transitions</a>.
          </li>
          <li>
            A withdrawal and a top-up: <a href="/docs/fiat">Fiat in and out</a>.
          </li>
          <li>
            A callback: <a href="/docs/callbacks#schedule">its six attempts</a>.
          </li>
        </ul>
      </Section>
    </Shell>
  );
}
