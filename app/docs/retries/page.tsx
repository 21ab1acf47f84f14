import type { Metadata } from "next";
import { FACTS } from "../_content/facts.ts";
import { Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/retries");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Retries() {
  const { rateLimits } = readSite();
  return (
    <Shell
      current={page.path}
      title={page.title}
      lead="When you do not know whether a request arrived, send it again. Nothing happens twice."
    >
      <Section id="which" title="What to retry">
        <Table
          caption="What to do after each kind of answer"
          columns={["Answer", "Do"]}
          rows={[
            ["No answer, a timeout, 500, 503", "Retry, with pauses that grow. Obey Retry-After where it is given."],
            [<Codes key="l" codes={["rate_limited"]} />, "Wait for Retry-After, then send the same request."],
            [<Codes key="p" codes={["idempotency_in_progress"]} />, "Wait a second, then retry: you get the first one’s answer."],
            ["Other 4xx", "Do not retry as it is. The error’s page says what to mend."],
          ]}
        />
        <Note>
          <p>A retry is signed again: a new timestamp, a new nonce, a new signature. The same nonce twice is refused.</p>
        </Note>
      </Section>
      <Section id="idempotency" title="Idempotency-Key">
        <p>
          Send the header <code>Idempotency-Key</code> with a text of your own on any POST. For {FACTS.idempotencyHours} hours the same key
          with the same body, the very same bytes, is answered with the stored answer and <code>Idempotent-Replayed: true</code>; the
          operation does not happen again.
        </p>
        <ul>
          <li>Keys are yours alone, and apart for each method and path.</li>
          <li>
            The same key while the first request runs: <Codes codes={["idempotency_in_progress"]} />. With another body:{" "}
            <Codes codes={["idempotency_key_reused"]} />.
          </li>
          <li>
            Both surfaces honour it, for creating and rotating keys too: a repeat tells the secret again, to the API key that made the first
            request alone. Only <code>POST /login</code> and the provider’s callbacks know none.
          </li>
          <li>An answer is kept once the operation began: 2xx, 404, 409, 410 and 422, never 401, 429 or 5xx.</li>
        </ul>
        <p>
          Use it on creation above all: without it, a creation that is repeated makes a second settlement. That is harmless as long as only
          one of them is confirmed.
        </p>
      </Section>
      <Section id="repeats" title="Safe without a key">
        <ul>
          <li>
            Confirm, repeated with the same <code>external_tx_id</code> and URL: 200 with the settlement as it stands. With other values:
            409.
          </li>
          <li>Cancel, repeated: 200 with the settlement as it stands.</li>
          <li>
            An <code>external_tx_id</code> is unique among your settlements: two settlements can never be confirmed for one order of yours (
            <Codes codes={["external_tx_id_conflict"]} />
            ).
          </li>
        </ul>
      </Section>
      <Section id="limits" title="Rate limits">
        <LimitsText {...rateLimits} />
        <p>
          A request over the limit is answered with 429 <Codes codes={["rate_limited"]} />, <code>Retry-After</code>, <code>RateLimit</code>{" "}
          (what is left) and <code>RateLimit-Policy</code> (what is granted). Where several of our processes answer, each counts for itself
          and tells of itself: you may do more than that, never less. Its nonce is not used up, so it may be sent again as it is. A partner
          can have limits of its own.
        </p>
        <p>
          A body may have {FACTS.maxBodyKiB} KiB: <Codes codes={["body_too_large"]} />.
        </p>
      </Section>
    </Shell>
  );
}

function LimitsText({ writesPerSecond, readsPerSecond }: { writesPerSecond: number; readsPerSecond: number }) {
  const words = (count: number, what: string) => (count === 0 ? `${what} without limit` : `${count} ${what} a second`);
  return (
    <p>
      Per API key: {words(writesPerSecond, "writes")} and {words(readsPerSecond, "reads")}, in bursts of{" "}
      {FACTS.burst === 2 ? "twice" : FACTS.burst} that.
    </p>
  );
}
