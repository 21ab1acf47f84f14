import type { Metadata } from "next";
import { duration, FACTS } from "../_content/facts.ts";
import { nodeSigning, pythonSigning, signingString } from "../_content/samples.ts";
import { messageSignature } from "../_content/signature-samples.ts";
import { Code, Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/signing");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Signing() {
  const site = readSite();
  return (
    <Shell current={page.path} title={page.title} lead="HMAC-SHA256 over five components, under your API secret.">
      <Section id="surfaces" title="What is signed, and where the key goes">
        <SurfacesTable />
        <p>
          You sign both in the same way, with the same three headers over the same signing string. Only the header with the key differs. A
          new key in live mode must sign everything (<code>signed_management</code> is <code>all</code>), unless its creator chose
          otherwise. Sandbox keys do not have to. You may always sign everything: the service checks optional signatures too.
        </p>
      </Section>
      <Section id="headers" title="Headers">
        <HeadersTable {...site.headers} />
        <p>Send each of them exactly once. Never send the API secret itself.</p>
      </Section>
      <Section id="signing-string" title="Signing string">
        <p>
          The five components, in this order, joined by a single newline (<code>0x0a</code>): four newlines, none at the end.
        </p>
        <ComponentsTable timestamp={site.headers.timestamp} />
        <Code label="An example, with an empty query" text={signingString} />
        <p>
          The signature is the hex encoding of HMAC-SHA256 over these bytes. The HMAC key is the UTF-8 bytes of the secret as issued,
          including its prefix <code>sec_</code>. Do not decode it.
        </p>
        <Note>
          <p>
            Sign the bytes that go on the wire. Serialise the body once, then sign and send that text. Build the query string once, then
            sign and send it. A library that re-encodes either after signing is the usual cause of <Codes codes={["signature_mismatch"]} />.
          </p>
        </Note>
      </Section>
      <Section id="code" title="Code">
        <Code label="Node.js" text={nodeSigning(site)} />
        <Code label="Python" text={pythonSigning(site)} />
      </Section>
      <Section id="message-signatures" title="HTTP Message Signatures">
        <p>
          Instead of sending the three headers, you may sign with a library for RFC 9421, under the same secret. Set <code>alg</code> to{" "}
          <code>hmac-sha256</code>, <code>keyid</code> to the API key, and <code>nonce</code> to a UUIDv4; <code>created</code> takes the
          place of the timestamp. You may then leave out <code>Authorization</code>. The signature must cover <code>@method</code>,{" "}
          <code>@target-uri</code> (or <code>@path</code> and <code>@query</code>) and, where there is a body, <code>content-digest</code>{" "}
          with <code>sha-256</code> or <code>sha-512</code> (RFC 9530).
        </p>
        <Code label="What it adds to a request with a body" text={messageSignature} />
        <p>
          The checks, their order and their codes are the same. Both ways share their nonces: a nonce that you used in one is used in the
          other. If something is missing or not covered, the answer is <Codes codes={["missing_credentials"]} /> and names it. If a request
          has any of the three headers, the service reads only those.
        </p>
      </Section>
      <Section id="test" title="Testing your signature">
        <ul>
          <li>
            <a href="/docs/signing-vectors.json">signing-vectors.json</a> holds requests with their signing strings and signatures: percent
            encodings, empty and dangling parameters, bodies beyond ASCII.
          </li>
          <li>
            <code>POST /api/v1/echo</code> accepts any signed request and returns the components as the server read them. It has no other
            effect.
          </li>
          <li>
            <code>GET /time</code>, unsigned, returns the server’s time.
          </li>
        </ul>
      </Section>
      <Section id="checks" title="How the server checks">
        <p>The server makes these checks in this order, before anything else. Each failure is a 401:</p>
        <ol>
          <li>
            All headers are present: <Codes codes={["missing_credentials"]} />
          </li>
          <li>
            The key is known and valid: <Codes codes={["unknown_api_key", "revoked_api_key"]} />
          </li>
          <li>
            The timestamp is within {duration(FACTS.timestampToleranceSeconds)} of server time: <Codes codes={["stale_timestamp"]} />
          </li>
          <li>
            The nonce is a UUIDv4: <Codes codes={["invalid_nonce"]} />
          </li>
          <li>
            The signature matches: <Codes codes={["signature_mismatch"]} />
          </li>
          <li>
            The nonce is new for this key: <Codes codes={["nonce_reused"]} />
          </li>
        </ol>
        <p>
          A 401 also says in <code>WWW-Authenticate</code> which credentials are needed. Only a valid signature uses up a nonce. A retry is
          a new request: new timestamp, new nonce, new signature. You can limit a key to IP addresses (<Codes codes={["ip_not_allowed"]} />)
          and scopes (<Codes codes={["scope_missing"]} />
          ). You can rotate it with an overlap, in which both pairs work.
        </p>
      </Section>
    </Shell>
  );
}

function SurfacesTable() {
  return (
    <Table
      caption="The two surfaces"
      columns={["Surface", "The API key is in", "What must be signed"]}
      rows={[
        [
          <a key="s" href="/docs/reference">
            Settlements: /api/v1
          </a>,
          <code key="a">Authorization</code>,
          "Every request.",
        ],
        [
          <a key="m" href="/docs/partner-management">
            Partner management: /partners, /exchange-rates
          </a>,
          <code key="k">apiKey</code>,
          <span key="w">
            Every request, where <code>signed_management</code> of the key is <code>all</code> (<Codes codes={["signature_required"]} />
            ). Where it is <code>true</code>, every request that is not a GET. With any other key, none.
          </span>,
        ],
      ]}
    />
  );
}

function HeadersTable(headers: { timestamp: string; nonce: string; signature: string }) {
  return (
    <Table
      caption="The headers of a signed request"
      columns={["Header", "Value"]}
      rows={[
        [
          <span key="a">
            <code>Authorization</code> below /api/v1, <code>apiKey</code> elsewhere
          </span>,
          "The API key, as issued, without a scheme in front.",
        ],
        [<code key="c">Content-Type</code>, "application/json, where there is a body."],
        [<code key="t">{headers.timestamp}</code>, "Unix epoch seconds, digits only."],
        [<code key="n">{headers.nonce}</code>, "A random UUIDv4, fresh for every request."],
        [<code key="s">{headers.signature}</code>, "The signature: 64 hexadecimal digits, in either case."],
      ]}
    />
  );
}

function ComponentsTable({ timestamp }: { timestamp: string }) {
  return (
    <Table
      caption="The components of the signing string"
      columns={["Component", "Rule"]}
      rows={[
        ["timestamp", `The exact text of ${timestamp}.`],
        ["method", "In upper case. HEAD works wherever GET does, and is signed as HEAD."],
        ["path", "The whole path as on the wire, such as /api/v1/settlements or /partners/members, without the query."],
        ["query", "As on the wire: raw, percent-encoded, in the URL’s order, without the leading “?”. Empty if there is none."],
        ["body", "The raw bytes, read as UTF-8. Empty if there are none."],
      ]}
    />
  );
}
