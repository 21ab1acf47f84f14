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
    <Shell current={page.path} title={page.title} lead="From a key to a settlement that was paid and a callback that was verified.">
      <Section id="keys" title="Your keys">
        <Keys site={site} />
        <p>
          Go and PHP go by their standard libraries. All that there is to know about keys: <a href="/docs/secrets">Keys and secrets</a>. The
          program, whole, and what starts it, in a folder of its own and in the same shell:
        </p>
        <RunIt program={QUICKSTART} label="the quickstart" />
      </Section>
      <Step number={1} site={site} title="Sign a request">
        <p>
          Every request under <code>/api/v1</code> is signed. This one asks what you may quote; a signature that does not match is answered
          with what was read (<Codes codes={["signature_mismatch"]} />
          ). How it is made: <a href="/docs/signing">Signing requests</a>.
        </p>
      </Step>
      <Step number={2} site={site} title="Get a quote">
        <p>
          The answer says exactly what the wallet would get, and until when that holds. Nothing has moved yet. More about{" "}
          <a href="/docs/amounts">amounts</a>.
        </p>
      </Step>
      <Step number={3} site={site} title="Confirm it">
        <p>
          Name it by your own <code>external_tx_id</code>: a confirmation that is repeated pays once. With{" "}
          <code>expected_destination_amount</code> nothing is paid at any other amount. <code>callback_url</code> is where you will be told;
          it has to be given here or at the creation, and {site.sandbox ? "a sandbox calls http://127.0.0.1 too." : "has to be https."}
        </p>
      </Step>
      <Step number={4} site={site} title="See it paid">
        <p>
          It is <code>processing</code> until the chain says that the transfer is final, or that there will be none (<code>failed</code>).
          See <a href="/docs/lifecycle">its life</a>.
        </p>
      </Step>
      <Step number={5} site={site} title="Verify the callback">
        <p>
          Anybody can send you a POST. Believe the one whose signature holds over the bytes as they came. All of them:{" "}
          <a href="/docs/events">Events</a>.
        </p>
      </Step>
      <Section id="next" title="And then">
        <ul>
          <li>
            A withdrawal or a top-up: <a href="/docs/fiat">Fiat in and out</a>.
          </li>
          <li>
            A lapsed quote, a payment that fails, a callback that never arrives, in seconds: <a href="/docs/sandbox">Sandbox controls</a>.
          </li>
          <li>
            What may be sent again after a lost answer: <a href="/docs/retries">Retries and limits</a>.
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
