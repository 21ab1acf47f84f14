import type { Metadata } from "next";
import { QUICKSTART } from "../_content/quickstart.ts";
import { Codes, Section } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Keys, Step as ProgramStep, RunIt } from "../_parts/program.tsx";
import { Shell } from "../_parts/shell.tsx";
import { readSite, type Site } from "../_parts/site.ts";

const page = pageAt("/docs/quickstart");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Quickstart() {
  const site = readSite();
  return (
    <Shell current={page.path} title={page.title} lead="From a key to a paid settlement and a verified callback.">
      <Section id="keys" title="Your keys">
        <Keys site={site} />
        <p>
          The programs in Go and PHP show every byte, with only the standard library; <a href="/docs#sdks">SDKs</a> for both do the same for
          you. More about keys: <a href="/docs/secrets">Keys and secrets</a>. Download the whole program and run it, in an empty folder and
          the same shell:
        </p>
        <RunIt program={QUICKSTART} label="the quickstart" />
        {site.sandbox ? (
          <p>
            Or begin with a project: in the service’s folder, <code>npx settle init --language python</code> makes one with the SDK, a
            receiver and tests. Also: <code>typescript</code>, <code>go</code> and <code>php</code>.
          </p>
        ) : null}
      </Section>
      <Step number={1} site={site} title="Sign a request">
        <p>
          Every request under <code>/api/v1</code> is signed. This one asks what you may quote. If the signature does not match, the answer
          shows what the server read (<Codes codes={["signature_mismatch"]} />
          ). How to sign: <a href="/docs/signing">Signing requests</a>.
        </p>
      </Step>
      <Step number={2} site={site} title="Get a quote">
        <p>
          The answer says exactly what the wallet would get, and how long the quote is valid. Nothing has moved yet. With an{" "}
          <code>Idempotency-Key</code>, in the SDKs the intent, a repeat returns the same quote. More about{" "}
          <a href="/docs/amounts">amounts</a>.
        </p>
      </Step>
      <Step number={3} site={site} title="Confirm it">
        <p>
          Send your own <code>external_tx_id</code>, so that a repeated confirmation pays only once. With{" "}
          <code>expected_destination_amount</code>, no other amount is ever paid. Callbacks go to <code>callback_url</code>, which you must
          give here or at creation. {site.sandbox ? "A sandbox calls http://127.0.0.1 too." : "It must be https."}
        </p>
      </Step>
      <Step number={4} site={site} title="See it paid">
        <p>
          The settlement is <code>processing</code> until the transfer is final (<code>executed</code>), or until it is certain that there
          will be none (<code>failed</code>). See <a href="/docs/lifecycle">its lifecycle</a>.
        </p>
      </Step>
      <Step number={5} site={site} title="Verify the callback">
        <p>
          Anybody can send you a POST. Trust only one whose signature matches the raw bytes. All callbacks:{" "}
          <a href="/docs/events">Events</a>.
        </p>
      </Step>
      <Section id="next" title="Next">
        <ul>
          <li>
            A withdrawal or a top-up: <a href="/docs/fiat">Fiat in and out</a>.
          </li>
          <li>
            See an expired quote, a failed payment or a callback that never arrives, in seconds:{" "}
            <a href="/docs/sandbox">Sandbox controls</a>.
          </li>
          <li>
            What you may send again after a lost answer: <a href="/docs/retries">Retries and limits</a>.
          </li>
        </ul>
      </Section>
    </Shell>
  );
}

type StepProps = { number: 1 | 2 | 3 | 4 | 5; site: Site; title: string; children: React.ReactNode };

function Step({ number, site, title, children }: StepProps) {
  return (
    <Section id={`step-${number}`} title={`${number}. ${title}`}>
      {children}
      <ProgramStep program={QUICKSTART} number={number} site={site} title={title} />
    </Section>
  );
}
