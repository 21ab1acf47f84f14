import type { Metadata } from "next";
import { ATTEMPT_TIMEOUT_MS, MAX_ATTEMPTS, RETRY_DELAYS_SECONDS } from "#domain/callback.ts";
import { exampleCallback } from "../_content/example.ts";
import { duration } from "../_content/facts.ts";
import { mirroredVerification, plainWebhookVerification, standardWebhooksVerification } from "../_content/samples.ts";
import { publicKeyVerification } from "../_content/signature-samples.ts";
import { Code, Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite, type Site } from "../_parts/site.ts";

const page = pageAt("/docs/callbacks");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Callbacks() {
  const site = readSite();
  return (
    <Shell current={page.path} title={page.title} lead="An HTTP POST (a webhook) about a change that you did not make yourself.">
      <Section id="events" title="Events">
        <p>
          These are the events of settlements. Withdrawals and top-ups call back when they end. Their callbacks have other bodies, but the
          same signatures and attempts. See <a href="/docs/events">every event</a>.
        </p>
        <h3>Terminal callback</h3>
        <p>
          Sent when a settlement becomes <code>executed</code> or <code>failed</code>. It goes to the <code>callback_url</code> that you
          gave at confirmation, or else to the one that you gave at creation.
        </p>
        <Code label="Body: executed" text={exampleCallback(site, "settlement.executed")} />
        <Code label="Body: failed" text={exampleCallback(site, "settlement.failed")} />
        <h3>Approval callback</h3>
        <p>
          Sent when an admin approves a settlement above its pair’s maximum. It goes to the <code>callback_url</code> that you gave at
          creation, if any. Confirm before the new <code>expires_at</code>.
        </p>
        <Code label="Body: approved" text={exampleCallback(site, "settlement.approved")} />
      </Section>
      <Section id="answer" title="Your answer">
        <p>
          Any 2xx within {ATTEMPT_TIMEOUT_MS / 1_000} seconds means received; <code>{'{"received": true}'}</code> is a fine body. Anything
          else is a failed attempt, including redirects, which are not followed. Only your status code and headers count; the body is
          ignored. Answer first, then do the work.
        </p>
        <Note>
          <p>
            The same callback can arrive twice, because your 2xx can get lost. <code>webhook-id</code> is the same on every attempt: do the
            work once per id.
          </p>
        </Note>
      </Section>
      <Section id="schedule" title="Attempts">
        <ScheduleTable />
        <p>
          After attempt {MAX_ATTEMPTS} the callback is undelivered. A settlement lists its undelivered callbacks in{" "}
          <code>undelivered_callbacks</code>, with every attempt. In the console, an owner can pause a receiver. Its callbacks then wait,
          and go out in order once an owner resumes it.
        </p>
      </Section>
      <Section id="resend" title="Sending again">
        <p>
          Resend callbacks once your receiver works again. Id and body stay the same, so you recognise those that you have already handled
          by their <code>webhook-id</code>.
        </p>
        <ResendList />
        <p>
          After an outage, list what your receiver has missed: <code>GET /api/v1/callbacks?state=undelivered</code>. You can also follow{" "}
          <a href="/docs/follow">events</a>, which never give up.
        </p>
        <p>
          You can trigger one immediate attempt, whatever the state of the callback. It does not count among the {MAX_ATTEMPTS}, and its{" "}
          <code>number</code> is null. A 2xx delivers the callback; anything else leaves the schedule as it is.
        </p>
      </Section>
      <Section id="verify" title="Verifying a callback">
        <p>Each attempt carries at least two signatures. Verify any one of them, over the raw bytes of the body.</p>
        <h3>Standard Webhooks</h3>
        <SchemeTable />
        <Code label="Node.js, with the library standardwebhooks" text={standardWebhooksVerification} />
        <Code label="Python, with the standard library" text={plainWebhookVerification} />
        <h3 id="public-key">With a public key</h3>
        <p>
          If this service has a key for it, <code>webhook-signature</code> contains one more signature, as Standard Webhooks defines it:{" "}
          <code>v1a,</code> and the base64 Ed25519 signature of the same text. You verify it without a secret. So it suits a gateway, or a
          part of your system that must not be able to forge callbacks. The header can contain several signatures, separated by spaces.
          Accept the callback if any of them matches, and ignore schemes that you do not know.
        </p>
        <p>
          The service signs each partner’s callbacks with that partner’s own key. Your keys are those with <code>purpose</code>{" "}
          <code>callbacks</code> at <code>/.well-known/jwks.json?partner={"{partner_id}"}</code>. The member <code>whpk</code> has each of
          them in the form of Standard Webhooks. Your partner id is the <code>id</code> that <code>GET /partners/current</code> returns.
          Keep it in your settings and never read it from a callback: with another partner’s key, that partner could forge your callbacks.
          Without the parameter the answer contains only the keys of <a href="/docs/proofs">proofs</a>.
        </p>
        <Code label="Node.js, with the SDK" text={publicKeyVerification} />
        <h3>The request signature</h3>
        <p>
          This signature has the same five components and headers as <a href="/docs/signing">your own requests</a>, with the path and query
          of your URL. Its secret is the API secret of the key that created the settlement, or of your newest key if that one has ended.
        </p>
        <Code label="Python, with the standard library" text={mirroredVerification(site)} />
      </Section>
      <Frameworks />
      <Section id="samples" title="Samples">
        <p>
          The console’s <a href="/console/developers/callback-tester">callback tester</a> sends your receiver one callback of any kind,
          signed like every other, and shows what came back. It goes out once and reports nothing real. The ids in <code>webhook-id</code>{" "}
          and in the body begin with ten zeros, as no real id does: <code>cb_0000000000…</code> and <code>tx_0000000000…</code>. Verify it,
          answer 2xx, and do nothing else.
        </p>
      </Section>
      <Section id="certify" title="Certify your receiver">
        <p>
          A <a href="/docs/certify">certification</a> sends your receiver duplicates, forgeries, old callbacks, late ones and several at
          once, and reports what failed. Run it from your terminal or in the console.
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

function ResendList() {
  const operation = (verb: string) => (
    <a href={`/docs/reference/callbacks#${verb}_any_callback`}>
      <code>
        POST /api/v1/callbacks/{"{callback_id}"}/{verb}
      </code>
    </a>
  );
  return (
    <ul>
      <li>
        {MAX_ATTEMPTS} new attempts: {operation("resend")}, or for a settlement in a terminal <code>settle resend TX_ID</code>.
      </li>
      <li>One attempt now: {operation("attempt")}.</li>
      <li>In the console, under Callbacks, an owner can also resend all those that a receiver did not accept.</li>
    </ul>
  );
}

/** Where each web framework keeps the bytes of a request's body. */
const RAW_BODIES: readonly (readonly [string, string])[] = [
  ["Express", 'app.post("/callbacks", express.raw({ type: "*/*" }), (request) => request.body)'],
  ["Next.js, a route handler", "Buffer.from(await request.arrayBuffer())"],
  ["Flask", "request.get_data()"],
  ["FastAPI", "await request.body()"],
  ["Django", "request.body"],
  ["Laravel", "$request->getContent()"],
  ["Spring", "@RequestBody byte[] body"],
];

function Frameworks() {
  return (
    <Section id="frameworks" title="The raw body in your framework">
      <p>
        Verify the bytes as they arrived. A framework that parses JSON for you loses them: parsed and written again, the body has another
        signature. Parse it yourself after verification.
      </p>
      <Table
        caption="Where each framework has the raw body"
        columns={["Framework", "The raw body"]}
        rows={RAW_BODIES.map(([name, code]) => [name, <code key={name}>{code}</code>])}
      />
    </Section>
  );
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
          "v1, and the base64 HMAC-SHA256 of id.timestamp.body. Its key is your callback secret: what follows whsec_, decoded from base64. During a rotation’s overlap there are two signatures, separated by a space.",
        ],
      ]}
    />
  );
}

function UrlSection({ site }: { site: Site }) {
  return (
    <Section id="url" title="Which URLs are accepted">
      <p>
        An absolute <code>https</code> URL
        {site.sandbox ? (
          <>
            {" "}
            (in the sandbox also <code>http</code>)
          </>
        ) : null}
        , without credentials or fragment, at most 2,048 characters
        {site.callbackPorts ? `, on port ${site.callbackPorts.join(" or ")}` : null}. The service calls it byte for byte as you give it, and
        the request signature covers that path and query (a missing path is <code>/</code>). The service refuses dot segments, and
        characters that no URL may contain, with <Codes codes={["validation_failed"]} />. Those are spaces, control characters, characters
        beyond ASCII and <code>{'" < > \\'}</code>: percent-encode them. The host must not resolve to a private, loopback or otherwise
        special address (
        <Codes codes={["callback_url_not_allowed"]} />
        ). The service checks this when you give the URL, and again at every attempt for the address that it connects to.
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
