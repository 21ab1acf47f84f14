import type { Metadata } from "next";
import { ATTEMPT_TIMEOUT_MS, MAX_ATTEMPTS, RETRY_DELAYS_SECONDS } from "#domain/callback.ts";
import { exampleCallback } from "../_content/example.ts";
import { duration } from "../_content/facts.ts";
import { mirroredVerification, plainWebhookVerification, standardWebhooksVerification } from "../_content/samples.ts";
import { Code, Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite, type Site } from "../_parts/site.ts";

const page = pageAt("/docs/callbacks");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Callbacks() {
  const site = readSite();
  return (
    <Shell current={page.path} title={page.title} lead="An HTTP POST when something happened that you did not do yourself.">
      <Section id="events" title="Events">
        <h3>Terminal callback</h3>
        <p>
          When a settlement becomes <code>executed</code> or <code>failed</code>: to the <code>callback_url</code> given at confirmation, or
          to the one given at creation where confirmation gave none.
        </p>
        <Code label="Body: executed" text={exampleCallback(site, "settlement.executed")} />
        <Code label="Body: failed" text={exampleCallback(site, "settlement.failed")} />
        <h3>Approval callback</h3>
        <p>
          When an admin approves a settlement above its pair’s maximum: to the <code>callback_url</code> given at creation, if there was
          one. Confirm before the new <code>expires_at</code>.
        </p>
        <Code label="Body: approved" text={exampleCallback(site, "settlement.approved")} />
      </Section>
      <Section id="answer" title="Your answer">
        <p>
          Any 2xx within {ATTEMPT_TIMEOUT_MS / 1_000} seconds means received; <code>{'{"received": true}'}</code> is a fine body. Everything
          else is a failed attempt, redirects included: they are not followed. The verdict falls with your status line and headers, whatever
          becomes of the body. Answer first and work afterwards.
        </p>
        <Note>
          <p>
            The same callback can arrive twice: your 2xx may have been lost on its way. <code>webhook-id</code> is the same on every
            attempt; do the work once per id.
          </p>
        </Note>
      </Section>
      <Section id="schedule" title="Attempts">
        <ScheduleTable />
        <p>
          After attempt {MAX_ATTEMPTS} the callback is undelivered, and the settlement shows it in <code>undelivered_callbacks</code>, with
          every attempt. Once your receiver is well again, start {MAX_ATTEMPTS} new attempts with{" "}
          <code>
            POST /api/v1/settlements/{"{tx_id}"}/callbacks/{"{callback_id}"}/resend
          </code>
          . Id and body stay the same.
        </p>
        <p>
          One attempt at once, in whatever state the callback is, makes{" "}
          <code>
            POST /api/v1/settlements/{"{tx_id}"}/callbacks/{"{callback_id}"}/attempt
          </code>
          . It stands beside the {MAX_ATTEMPTS}, with a <code>number</code> of null: a 2xx delivers the callback, anything else leaves the
          schedule as it is. In the console an owner can pause a receiver: what is due to it waits, and goes out in its order once it is
          resumed.
        </p>
      </Section>
      <Section id="verify" title="Verifying a callback">
        <p>Each attempt carries two signatures. Check either, over the raw bytes of the body.</p>
        <h3>Standard Webhooks</h3>
        <SchemeTable />
        <Code label="Node.js, with the library standardwebhooks" text={standardWebhooksVerification} />
        <Code label="Python, with the standard library" text={plainWebhookVerification} />
        <h3>As you sign requests</h3>
        <p>
          The same five components and headers as in <a href="/docs/signing">your own requests</a>, with the path and query of your URL,
          under the API secret of the key that created the settlement (when that key is gone, your newest).
        </p>
        <Code label="Python, with the standard library" text={mirroredVerification(site)} />
      </Section>
      <Section id="samples" title="Samples">
        <p>
          The console’s <a href="/console/developers/callback-tester">callback tester</a> sends your receiver one callback of any kind,
          signed like every other, and shows what came back. It is sent once and tells about nothing: the ids in <code>webhook-id</code> and
          in the body begin with ten zeros, <code>cb_0000000000…</code> and <code>tx_0000000000…</code>, which no real id does. Verify it,
          answer 2xx, and do nothing else.
        </p>
      </Section>
      <UrlSection site={site} />
    </Shell>
  );
}

function ScheduleTable() {
  const rows = [
    ["1", "at once"],
    ...RETRY_DELAYS_SECONDS.map((delay, index) => [String(index + 2), `${duration(delay)} after attempt ${index + 1} ended`]),
  ];
  return <Table caption="When each attempt is made" columns={["Attempt", "Due"]} rows={rows} />;
}

function SchemeTable() {
  return (
    <Table
      caption="The headers of Standard Webhooks"
      columns={["Header", "Value"]}
      rows={[
        [<code key="i">webhook-id</code>, "The callback’s id, the same on every attempt."],
        [<code key="t">webhook-timestamp</code>, "Unix epoch seconds of this attempt."],
        [
          <code key="s">webhook-signature</code>,
          "v1, and the base64 HMAC-SHA256 of id.timestamp.body under your callback secret (whsec_ and base64 of the key). Two signatures, with a space between, while a rotation overlaps.",
        ],
      ]}
    />
  );
}

function UrlSection({ site }: { site: Site }) {
  return (
    <Section id="url" title="Which URLs are accepted">
      <p>
        Absolute <code>https</code>
        {site.sandbox ? (
          <>
            {" "}
            (in the sandbox also <code>http</code>)
          </>
        ) : null}
        , without credentials or fragment, at most 2,048 characters
        {site.callbackPorts ? `, on port ${site.callbackPorts.join(" or ")}` : null}. It is called byte for byte as you give it, and that
        path and query are what the mirrored scheme signs (a missing path is <code>/</code>). What would have to be changed to be called
        (spaces, control characters, characters beyond ASCII, <code>{'" < > \\'}</code>, dot segments) is{" "}
        <Codes codes={["validation_failed"]} />: percent-encode it. The host must not lead to a private, loopback or otherwise special
        address (
        <Codes codes={["callback_url_not_allowed"]} />
        ): this is checked when you give the URL, and again at every attempt on the address that is connected to.
        {site.callbackAllowedHosts.length > 0 ? (
          <>
            {" "}
            Exempt in this sandbox: <code>{site.callbackAllowedHosts.join(", ")}</code>, on any port.
          </>
        ) : null}
      </p>
    </Section>
  );
}
