import type { Metadata } from "next";
import { Note, Section } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";
import "../../_signature/signature.css";
import { SignatureDebugger } from "./debugger.tsx";

const page = pageAt("/docs/signature-debugger");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function SignatureDebuggerPage() {
  const { baseUrl } = readSite();
  return (
    <Shell
      current={page.path}
      title={page.title}
      lead="Fill in a request whose signature was refused, and read with which mistake it was made."
    >
      <Note>
        <p>
          Everything is computed in this page, by the browser’s own crypto. Neither the secret nor anything else leaves it: once the page is
          loaded, it works without a network.
        </p>
      </Note>
      <Section id="request" title="The refused request">
        <p>
          The form below runs in your browser. What it asks for stands in your log and in the answer’s member <code>received</code> (
          <a href="/docs/errors/signature_mismatch">signature_mismatch</a>).
        </p>
        <SignatureDebugger host={new URL(baseUrl).host} />
      </Section>
      <Section id="limits" title="What it tries">
        <p>
          Some sixty known mistakes, alone and two at a time: bodies that were serialised twice or laid out otherwise, paths without{" "}
          <code>/api/v1</code>, decoded or re-ordered queries, other separators, secrets with a line break, other encodings and hashes. MD5,
          SHA-224 and SHA-3 are tried by the console alone, which also explains every refused request of a known key in its <b>API log</b>,
          without the secret being typed anywhere.
        </p>
        <p>
          How signing works: <a href="/docs/signing">Signing requests</a>.
        </p>
      </Section>
    </Shell>
  );
}
