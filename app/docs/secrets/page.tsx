import type { Metadata } from "next";
import { createApiKeyOperation, rotateApiKeyOperation, rotateCallbackSecretOperation } from "#contract/partner/key-operations.ts";
import { SCOPES } from "#domain/access.ts";
import { Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/secrets");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Secrets() {
  const { sandbox, headers } = readSite();
  return (
    <Shell current={page.path} title={page.title} lead="What you hold, where each comes from, and what to do when one is lost.">
      <Section id="which" title="Which there are">
        <SecretsTable sandbox={sandbox} />
        <Note>
          <p>
            Each is shown once, when it is made. We keep the key as a hash and the secrets sealed: nobody can tell them to you again. Lost
            is rotated.
          </p>
        </Note>
      </Section>
      <Section id="scopes" title="What a key may do">
        <p>
          {SCOPES.map((scope, place) => (
            <span key={scope}>
              {place > 0 ? ", " : ""}
              <code>{scope}</code>
            </span>
          ))}
          : what each operation asks for stands with it, and without it the answer is <Codes codes={["scope_missing"]} />. A key can also be
          held to addresses (<Codes codes={["ip_not_allowed"]} />) and to an end. Give each program a key of its own.
        </p>
      </Section>
      <Section id="rotate" title="Rotate without a gap">
        <ol>
          <li>
            Ask for the new pair with an overlap: in the console, or{" "}
            <code>
              {rotateApiKeyOperation.method} {rotateApiKeyOperation.path}
            </code>{" "}
            with <code>overlap_seconds</code>.
          </li>
          <li>
            Put it into your programs. Both pairs work meanwhile. Until the overlap ends, the old key&apos;s <code>revoked_at</code> is in
            the future, and callbacks of settlements that it created keep its signature in <code>{headers.signature}</code>.
          </li>
          <li>The old one ends by itself. From then on, your newest key signs those callbacks.</li>
        </ol>
        <p>
          The callback secret likewise:{" "}
          <code>
            {rotateCallbackSecretOperation.method} {rotateCallbackSecretOperation.path}
          </code>
          . During the overlap <code>webhook-signature</code> carries one signature under each: accept either. At most two secrets sign:
          another rotation during an overlap ends the older one at once, before the <code>previous_expires_at</code> that its own rotation
          answered.
        </p>
        {sandbox && (
          <Note>
            <p>
              In the sandbox, <code>.data/sandbox.json</code> keeps the old pair. Once the overlap is over, restart the sandbox: it issues a
              new key and writes it there.
            </p>
          </Note>
        )}
      </Section>
      <Section id="leak" title="When one has leaked">
        <p>
          Rotate it with an overlap of 0, or revoke it in the console, and tell the operator. A key alone, without its secret, signs
          nothing: it cannot touch <code>/api/v1</code>. On the partner-management surface it reads, and it changes things unless it has{" "}
          <code>signed_management</code> (<Codes codes={["signature_required"]} />
          ).
        </p>
      </Section>
    </Shell>
  );
}

function SecretsTable({ sandbox }: { sandbox: boolean }) {
  const inSandbox = (name: string) => (sandbox ? ` In the sandbox: ${name} of .data/sandbox.json.` : "");
  const made = `${createApiKeyOperation.method} ${createApiKeyOperation.path}`;
  return (
    <Table
      caption="Keys and secrets"
      columns={["Name", "Looks like", "What it is for", "Where it comes from"]}
      rows={[
        [
          "API key",
          <code key="k">key_test_…, key_live_…</code>,
          "Says who you are: Authorization under /api/v1, apiKey on the partner-management surface.",
          `The operator makes your first (${made}). More: you do, in the console under Developers, API keys.${inSandbox("partner.api_key")}`,
        ],
        [
          "API secret",
          <code key="s">sec_…</code>,
          "Signs your requests, and lets you check the second signature of callbacks. It never travels.",
          `With its key, at the same moment.${inSandbox("partner.api_secret")}`,
        ],
        [
          "Callback secret",
          <code key="w">whsec_…</code>,
          "Checks webhook-signature of callbacks. One for all of yours.",
          `You make it, the first as well as any other: in the console under Developers, API keys, by Rotate secret. Until then callbacks carry no webhook-signature.${inSandbox("partner.callback_secret")}`,
        ],
        [
          "Operator’s key",
          <code key="o">key_test_…, key_live_…</code>,
          "Operations of the operator, and the sandbox’s controls.",
          `None of yours in live mode.${inSandbox("operator.api_key")}`,
        ],
        [
          "Public keys",
          <code key="p">/.well-known/jwks.json</code>,
          "Check signed quotes and receipts; with ?partner= and your partner id, your callbacks too. They are no secret.",
          "Anybody may fetch them.",
        ],
      ]}
    />
  );
}
