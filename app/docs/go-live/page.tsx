import type { Metadata } from "next";
import { GO_LIVE } from "#domain/go-live.ts";
import { Codes, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/go-live");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function GoLive() {
  const { baseUrl, sandbox, callbackPorts } = readSite();
  return (
    <Shell
      current={page.path}
      title={page.title}
      lead="What to finish before you take real money, and what differs between the sandbox and production."
    >
      <Section id="checklist" title="Checklist">
        <p>
          The console shows the same list under <a href="/console/developers/go-live">Developers, Go live</a>, and ticks what you have
          finished.
        </p>
        <ol>
          {GO_LIVE.map(({ step, title, text, page: more, screen }) => (
            <li key={step} id={step}>
              <strong>{title}.</strong> {text} <a href={more}>How it works</a>, <a href={screen}>do it in the console</a>.
            </li>
          ))}
        </ol>
      </Section>
      <Section id="differs" title="What differs in live mode">
        <Table
          caption="The sandbox and live mode"
          columns={["What", "Sandbox", "Live mode"]}
          rows={[
            [
              "Base URL",
              "The address of your own sandbox",
              sandbox ? "The address that the operator gives you" : <code key="u">{baseUrl}</code>,
            ],
            ["Keys", <code key="s">key_test_…</code>, <code key="l">key_live_…</code>],
            [
              "Signatures on the partner-management surface",
              "Only where the key demands them",
              <span key="l">
                Every request, unless the key’s creator chose otherwise. Otherwise <Codes codes={["signature_required"]} />
              </span>,
            ],
            ["First key and its secret", "In .data/sandbox.json", "From the operator; you create the others in the console"],
            ["Callback secret", "In .data/sandbox.json", "You make the first one in the console"],
            [
              "Callback URL",
              "http or https, this machine included",
              <span key="l">
                https, port {(callbackPorts ?? [443, 8_443]).join(" or ")}, an address on the internet. Otherwise{" "}
                <Codes codes={["callback_url_not_allowed"]} />
              </span>,
            ],
            ["Time and rates", "You can move the clock, the rates and the outcomes", "They are real. There are no sandbox controls"],
            ["Payments from a file", "One owner", "Another owner confirms"],
            [
              "A settlement above the maximum of its pair",
              "You decide as the operator",
              "The operator decides, and you get an approval callback",
            ],
          ]}
        />
      </Section>
      <Section id="switch" title="Switch over">
        <ol>
          <li>
            Take base URL, key, secret and callback secret from the environment. Then the same build runs in the sandbox and in production.
          </li>
          <li>
            Compare your clock with <code>GET /time</code>. The service accepts a timestamp that differs by at most five minutes.
          </li>
          <li>
            Send one signed <code>POST /api/v1/echo</code> with the live key. It has no effect, and shows how the server read your
            signature.
          </li>
          <li>
            Read <a href="/docs/errors">errors</a> by their code, and repeat only what <a href="/docs/retries">may be repeated</a>.
          </li>
          <li>Pay a small amount to a wallet of your own, and wait for the callback.</li>
        </ol>
      </Section>
      <Section id="afterwards" title="Afterwards">
        <ul>
          <li>
            Subscribe to the <a href="/docs/changelog">changelog</a> (<a href="/docs/changelog/feed.atom">Atom</a>), and watch for the
            headers <code>Deprecation</code> and <code>Sunset</code>.
          </li>
          <li>
            Follow the <a href="/status">status of the service</a>, by its feed or as JSON: <a href="/docs/retries#status">how</a>.
          </li>
          <li>
            Rotate keys and secrets <a href="/docs/secrets#rotate">without a gap</a>.
          </li>
          <li>
            Include <code>X-Request-Id</code> when you ask for help. Report a security hole to the contact in{" "}
            <code>/.well-known/security.txt</code>.
          </li>
        </ul>
      </Section>
    </Shell>
  );
}
