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
            ["No answer, a timeout, 500, 503", "Retry with growing pauses. Obey Retry-After if the answer has it."],
            [<Codes key="l" codes={["rate_limited"]} />, "Wait for Retry-After, then send the same request."],
            [<Codes key="p" codes={["idempotency_in_progress"]} />, "Wait a second, then retry: you get the answer of the first request."],
            ["Other 4xx", "Do not retry unchanged. The error’s page says what to fix."],
          ]}
        />
        <Note>
          <p>Sign every retry again: new timestamp, new nonce, new signature. The service refuses a nonce that was used before.</p>
        </Note>
      </Section>
      <Section id="idempotency" title="Idempotency-Key">
        <p>
          Send the header <code>Idempotency-Key</code> with a text of your choice on any POST. For {FACTS.idempotencyHours} hours, the same
          key with exactly the same bytes as body gets the stored answer and <code>Idempotent-Replayed: true</code>. The operation does not
          run again.
        </p>
        <ul>
          <li>Keys belong to you alone, and are separate for each method and path.</li>
          <li>
            The same key while the first request runs: <Codes codes={["idempotency_in_progress"]} />. With another body:{" "}
            <Codes codes={["idempotency_key_reused"]} />.
          </li>
          <li>
            Both surfaces support it, except for <code>POST /login</code> and the provider’s callbacks. It also works when you create or
            rotate a key: a repeat shows the secret again, but only to the API key that made the first request.
          </li>
          <li>The service stores an answer once the operation has begun: 2xx, 404, 409, 410 and 422, never 401, 429 or 5xx.</li>
        </ul>
        <p>
          Above all, use it when you create a settlement: without it, a repeat creates a second one. That is harmless as long as you confirm
          only one of them.
        </p>
      </Section>
      <Section id="repeats" title="Safe without Idempotency-Key">
        <ul>
          <li>
            Confirm, repeated with the same <code>external_tx_id</code> and URL: 200 with the settlement as it is now. With other values:
            409.
          </li>
          <li>Cancel, repeated: 200 with the settlement as it is now.</li>
          <li>
            An <code>external_tx_id</code> is unique among your settlements: you can never confirm two settlements for one order (
            <Codes codes={["external_tx_id_conflict"]} />
            ).
          </li>
        </ul>
      </Section>
      <Section id="limits" title="Rate limits">
        <LimitsText {...rateLimits} />
        <p>
          A request over the limit gets 429 <Codes codes={["rate_limited"]} />, with <code>Retry-After</code>, <code>RateLimit</code> (what
          is left) and <code>RateLimit-Policy</code> (the limit). Limits apply per server process, so you may get more than the headers say,
          never less. The request does not use up its nonce, so you may send it again unchanged. A partner can have its own limits.
        </p>
        <p>
          A body can have up to {FACTS.maxBodyKiB} KiB; the service refuses a larger one with <Codes codes={["body_too_large"]} />.
        </p>
      </Section>
      <Section id="status" title="Status of the service">
        <p>
          <a href="/status">/status</a> shows whether each part of the service works, the last 90 days and the incidents. Anybody may read
          it. It also answers while the database does not, with what it knows.
        </p>
        <p>
          <code>GET /status/summary.json</code> says the same to programs, without a signature. It is no part of the API’s OpenAPI
          documents; its fields are only added, too.
        </p>
        <Table
          caption="The fields of summary.json"
          columns={["Field", "Meaning"]}
          rows={[
            [
              <code key="f">state</code>,
              "The worst of all parts now: operational, degraded, down, or unknown if the last measurement is more than 30 seconds old.",
            ],
            [<code key="f">summary</code>, "The same in a sentence."],
            [<code key="f">looked_at</code>, "When the service last looked. It looks every five seconds."],
            [<code key="f">history_read_at</code>, "When days and incidents were last read. It is old while the database is away."],
            [
              <code key="f">surfaces</code>,
              <span key="m">
                The parts. The payments of each chain are one (<code>payments:eip155:1</code>). <code>days</code> has 90 dates of UTC,
                oldest first, with the seconds in each state. Time without a measurement is <code>unknown_seconds</code>.
              </span>,
            ],
            [
              <code key="f">incidents</code>,
              "Disruptions of 30 seconds or longer, newest first, with the state of each part, the times and our notes. ended_at is null while one lasts, and for a minute afterwards.",
            ],
          ]}
        />
        <p>
          A disruption counts once two looks in a row have found it. Subscribe to incidents by <a href="/status/feed.atom">feed.atom</a>.
        </p>
      </Section>
    </Shell>
  );
}

function LimitsText({ writesPerSecond, readsPerSecond }: { writesPerSecond: number; readsPerSecond: number }) {
  const words = (count: number, what: string) => (count === 0 ? `${what} without limit` : `${count} ${what} a second`);
  return (
    <p>
      Per API key: {words(writesPerSecond, "writes")} and {words(readsPerSecond, "reads")}, in bursts of up to{" "}
      {FACTS.burst === 2 ? "twice" : FACTS.burst} that.
    </p>
  );
}
