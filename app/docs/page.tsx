import type { Metadata } from "next";
import { confirmBody } from "./_content/example.ts";
import { firstCurl } from "./_content/samples.ts";
import { sdkOverview } from "./_content/sdk-overview.ts";
import { Code, Note, Section, Table } from "./_parts/blocks.tsx";
import { PAGES, pageAt } from "./_parts/pages.ts";
import { Shell } from "./_parts/shell.tsx";
import { readSite } from "./_parts/site.ts";
import { Tabs } from "./_parts/tabs.tsx";

const page = pageAt("/docs");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Overview() {
  const site = readSite();
  const overview = sdkOverview(site);
  return (
    <Shell
      current={page.path}
      title="Settlement API"
      lead="Turn your merchants’ fiat into crypto: quote, confirm, and the chain pays exactly once."
    >
      <ol>
        <li>
          You <strong>create</strong> a settlement. The answer is a quote whose rate is guaranteed until <code>expires_at</code>.
        </li>
        <li>
          You <strong>confirm</strong> it before then, or cancel it. Confirming starts the payment.
        </li>
        <li>
          The service pays the merchant’s wallet on the chain. Once that payment is final, the settlement is <code>executed</code>. Once it
          is certain that nothing will be paid, it is <code>failed</code>.
        </li>
        <li>
          It <strong>calls you back</strong> with the outcome, signed.
        </li>
      </ol>
      <Section id="quickstart" title="First request">
        <p>
          The <a href="/docs/quickstart">Quickstart</a> takes five steps to a verified callback, in five languages. To begin with, a single
          request:
        </p>
        <p>
          You need an API key, its secret, and a shell with <code>openssl</code> and <code>curl</code>.{" "}
          {site.sandbox ? (
            <>
              The sandbox printed a key and its secret when it started, and keeps them in <code>.data/sandbox.json</code>.
            </>
          ) : null}
        </p>
        <Code id="quickstart-curl" label="Create a settlement" language="bash" text={firstCurl(site)} />
        <p>
          The answer is 201 with the settlement in status <code>quoted</code>. Check <code>destination_amount</code> and{" "}
          <code>platform_fee</code>, then confirm exactly that amount, signed in the same way:
        </p>
        <Code label="Confirm it" language="http" text={confirmBody(site)} />
        <p>
          It is <code>processing</code> now. Poll <code>GET /api/v1/settlements/{"{tx_id}"}</code>, or wait for the{" "}
          <a href="/docs/callbacks">callback</a>.
        </p>
        <Note>
          <p>
            If a signature does not match, the answer shows what the server read, so that you can see which byte differs:{" "}
            <a href="/docs/errors/signature_mismatch">signature_mismatch</a>.
          </p>
        </Note>
      </Section>
      <Section id="sdks" title="SDKs">
        <p>
          For <strong>TypeScript</strong> (Node 18 and newer, edge runtimes, workers), <strong>Python</strong> (3.9 and newer, sync and
          async), <strong>Go</strong> (1.19 and newer) and <strong>PHP</strong> (8.2 and newer). None has dependencies, except httpx for
          Python’s async client. They sign, retry safely after a lost answer, follow the service’s time, distinguish errors by code, wait
          for the outcome and verify callbacks. You get them from us as <code>settlement-sdk</code>, an npm tarball, a wheel, and zips for
          Go and PHP
          {site.sandbox ? (
            <>
              {" "}
              (<code>npm run build:sdk</code> packs them into <code>sdk/dist</code>)
            </>
          ) : null}
          . Their READMEs contain a whole program.
          {site.sandbox ? (
            <>
              {" "}
              <code>npx settle init --language python</code> (or <code>typescript</code>, <code>go</code>, <code>php</code>) makes a project
              with the SDK, a receiver and tests.
            </>
          ) : null}
        </p>
        <p>Quote, confirm and wait for the end; in Go these are lines of main:</p>
        <Tabs label="Programming language of: quote, confirm, wait" names={overview.map(({ name }) => name)}>
          {overview.map(({ name, language, text }) => (
            <Code key={name} label={`${name}: quote, confirm, wait`} language={language} text={text} />
          ))}
        </Tabs>
        <p>
          For other languages, use the OpenAPI 3.1 documents <a href="/openapi/settlement.json">settlement.json</a> and{" "}
          <a href="/openapi/partner.json">partner.json</a>. They have every operation, callback, header and error code. We generate them
          from the service’s own definitions, and our tests validate every answer against them.
        </p>
      </Section>
      <Section id="conventions" title="Conventions">
        <ul>
          <li>
            Base URL: <code>{site.baseUrl}</code>. The settlement surface is under <code>/api/v1</code>, and every request there is signed.
          </li>
          <li>Bodies are JSON in UTF-8. Requests are strict: the service refuses an unknown field and does not ignore it.</li>
          <li>Answers are open: they may get new fields. Ignore those that you do not know. The values of status never change.</li>
          <li>
            Timestamps are ISO 8601 in UTC with milliseconds: <code>2026-11-21T10:05:00.000Z</code>.
          </li>
          <li>
            Every answer carries <code>X-Request-Id</code>. Include it when you ask for help.
          </li>
          <li>
            The version is in the path. A change that would break a client gets a new version, and <code>/api/v1</code> stays as it is. See{" "}
            <a href="/docs/changelog">Versions and changes</a>.
          </li>
        </ul>
      </Section>
      <Section id="machines" title="For machines">
        <ul>
          <li>
            OpenAPI 3.1: <a href="/openapi/settlement.json">settlement.json</a>, <a href="/openapi/partner.json">partner.json</a>; as YAML{" "}
            <a href="/openapi/settlement.yaml">settlement.yaml</a>, <a href="/openapi/partner.yaml">partner.yaml</a>. AsyncAPI 3.0 of
            events: <a href="/asyncapi/events.json">events.json</a>.
          </li>
          <li>
            A Postman collection that signs: <a href="/docs/postman.json">postman.json</a>. Import it, and fill in its variables{" "}
            <code>api_key</code> and <code>api_secret</code>. The requests set the others. The operator’s requests have their own folder.
          </li>
          <li>
            Every page as Markdown: append <code>.md</code> to its address, or send <code>Accept: text/markdown</code>.{" "}
            <a href="/llms.txt">llms.txt</a> lists the pages, and <a href="/llms-full.txt">llms-full.txt</a> contains all of them.
          </li>
        </ul>
      </Section>
      <Section id="pages" title="Read on">
        <Table
          caption="The pages of this documentation"
          columns={["Page", "About"]}
          rows={PAGES.slice(1).map(({ path, title, summary }) => [
            <a key={path} href={path}>
              {title}
            </a>,
            summary,
          ])}
        />
      </Section>
    </Shell>
  );
}
