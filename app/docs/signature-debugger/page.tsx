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
    <Shell current={page.path} title={page.title} lead="Enter a request whose signature was refused, and see which mistake caused it.">
      <Note>
        <p>
          Your browser computes everything in this page. Neither the secret nor anything else leaves it: once loaded, the page works without
          a network.
        </p>
      </Note>
      <Section id="request" title="The refused request">
        <p>
          The form below runs in your browser. Find its values in your log and in the answer’s member <code>received</code> (
          <a href="/docs/errors/signature_mismatch">signature_mismatch</a>).
        </p>
        <SignatureDebugger host={new URL(baseUrl).host} />
      </Section>
      <Section id="limits" title="What it tries">
        <p>
          Some sixty known mistakes, alone and two at a time: bodies serialised twice or with another layout, paths without{" "}
          <code>/api/v1</code>, decoded or re-ordered queries, other separators, secrets with a line break, other encodings and hashes. Only
          the console tries MD5, SHA-224 and SHA-3. Its <b>API log</b> also explains every refused request of a known key, without your
          typing the secret.
        </p>
        <p>
          How signing works: <a href="/docs/signing">Signing requests</a>.
        </p>
      </Section>
    </Shell>
  );
}
