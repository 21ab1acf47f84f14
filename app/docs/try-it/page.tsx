import type { Metadata } from "next";
import { trialsOf } from "../_content/trials.ts";
import { Note, Section } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";
import "../../_signature/signature.css";
import { TryIt } from "./try-it.tsx";

const page = pageAt("/docs/try-it");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function TryItPage() {
  const site = readSite();
  return (
    <Shell current={page.path} title={page.title} lead="Sign a request in this page, send it to this service, and see the answer below.">
      {site.sandbox ? (
        <>
          <Note>
            <p>
              Key and secret stay in this tab until you close or reload it. The page stores neither, and does not send the secret. Find them
              in <code>.data/sandbox.json</code>, under <code>partner</code>. The page refuses keys of live mode.
            </p>
          </Note>
          <Section id="request" title="A request">
            <p>
              The form below runs in your browser. Enter key and secret, choose an operation and send it. The answer appears below, with the
              headers that were sent. The form fills in bodies with values that a fresh sandbox accepts. Replace placeholders in a path,
              such as <code>{"{tx_id}"}</code>, with values from earlier answers.
            </p>
            <TryIt trials={trialsOf(site)} headers={site.headers} />
          </Section>
        </>
      ) : (
        <Note>
          <p>
            This installation is live. A secret that moves money does not belong in a web page, so there is no form here. The sandbox has
            one at this address. To check how a request was signed, see the <a href="/docs/signature-debugger">signature debugger</a>.
          </p>
        </Note>
      )}
    </Shell>
  );
}
