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
    <Shell current={page.path} title={page.title} lead="Signed in this page, sent to this service, answered below.">
      {site.sandbox ? (
        <>
          <Note>
            <p>
              Key and secret stay in this tab until it is closed or loaded again: nothing of them is stored, and the secret is not sent.
              They stand in <code>.data/sandbox.json</code>, under <code>partner</code>. Keys of live mode are refused.
            </p>
          </Note>
          <Section id="request" title="A request">
            <p>
              The form below runs in your browser. Fill in key and secret, choose an operation and send it: the answer appears beneath, with
              the headers that were sent. Bodies are filled in with what a fresh sandbox takes; what stands in braces in a path, such as{" "}
              <code>{"{tx_id}"}</code>, you put in from an answer before.
            </p>
            <TryIt trials={trialsOf(site)} headers={site.headers} />
          </Section>
        </>
      ) : (
        <Note>
          <p>
            This installation is live, and a page is no place for a secret that moves money: there is nothing to try here. The sandbox has a
            form at this address. To check how a request was signed, see the <a href="/docs/signature-debugger">signature debugger</a>.
          </p>
        </Note>
      )}
    </Shell>
  );
}
