import type { Metadata } from "next";
import { fieldsOf } from "#contract/fields.ts";
import { ATTEMPT_TIMEOUT_MS, MAX_ATTEMPTS } from "#domain/callback.ts";
import { EVENTS, GOES_TO, verificationVector } from "../_content/events.ts";
import { duration, FACTS } from "../_content/facts.ts";
import { plainWebhookVerification, standardWebhooksVerification } from "../_content/samples.ts";
import { Code, Note, Section, Table } from "../_parts/blocks.tsx";
import { Fields } from "../_parts/operation-block.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";

const page = pageAt("/docs/events");
export const metadata: Metadata = { title: page.title, description: page.summary };

const anchor = (event: string) => event.replace(".", "-");

export default function Events() {
  return (
    <Shell current={page.path} title={page.title} lead="Every callback event, with payloads recorded from real requests.">
      <Table
        caption="All events"
        columns={["Event", "When", "Goes to", "Recognised by"]}
        rows={EVENTS.map(({ event, summary }) => [
          <a key={event} href={`#${anchor(event)}`}>
            <code>{event}</code>
          </a>,
          `${summary}.`,
          GOES_TO[event].url,
          GOES_TO[event].known,
        ])}
      />
      <Note>
        <p>
          The terminal callback of a settlement has no member <code>event</code>; look at its <code>status</code>. Every other callback has
          one. There may be new events: answer those that you do not know with 2xx, and ignore them.
        </p>
      </Note>
      <Section id="verify" title="Verify before you trust">
        <ol>
          <li>Use the raw bytes of the body. JSON that you parse and serialise again is another text.</li>
          <li>
            Check <code>webhook-signature</code> over <code>webhook-id.webhook-timestamp.body</code> with your callback secret (
            <a href="/docs/secrets">where it comes from</a>). If there are several signatures, one must match.
          </li>
          <li>
            Refuse a <code>webhook-timestamp</code> that is more than {duration(FACTS.timestampToleranceSeconds)} away.
          </li>
          <li>
            Do the work once per <code>webhook-id</code>: more than one of up to {MAX_ATTEMPTS} attempts may arrive.
          </li>
          <li>
            Answer 2xx within {ATTEMPT_TIMEOUT_MS / 1_000} seconds, and do the work afterwards. Callbacks may arrive out of order: trust the
            status that <code>GET</code> returns.
          </li>
        </ol>
        <Code label="Node.js, with the library standardwebhooks" language="js" text={standardWebhooksVerification} />
        <Code label="Python, with the standard library" language="python" text={plainWebhookVerification} />
        <p>
          The SDKs do this in <code>verifyCallback</code> and <code>verify_callback</code>. For the second signature, the schedule and how
          to resend, see <a href="/docs/callbacks">Callbacks</a>.
        </p>
        <Vector />
      </Section>
      {EVENTS.map(({ event, summary, body, payload }) => (
        <div key={event} className="operation">
          <Section id={anchor(event)} title={<code>{event}</code>}>
            <p>
              {summary}. To the {GOES_TO[event].url}.
            </p>
            <Code label={`Body of ${event}`} language="json" text={JSON.stringify(payload, null, 2)} />
            <Fields caption={`Members of ${event}`} fields={fieldsOf(body, "output")} />
          </Section>
        </div>
      ))}
    </Shell>
  );
}

function Vector() {
  const { secret, id, timestamp, body, signature } = verificationVector();
  const text = `CALLBACK_SECRET    ${secret}
webhook-id         ${id}
webhook-timestamp  ${timestamp}
webhook-signature  ${signature}

${body}`;
  return (
    <>
      <h3>A test vector</h3>
      <p>Your code must accept this callback, apart from its age. It must refuse the callback if you change any byte of the body.</p>
      <Code label="A callback, its secret and its signature" id="verification-vector" text={text} />
    </>
  );
}
