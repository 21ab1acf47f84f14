import type { Metadata } from "next";
import { leakedKeyOperation } from "#contract/leaked-key.ts";
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
    <Shell
      current={page.path}
      title={page.title}
      lead="Which keys and secrets you have, where each comes from, and what to do when one is lost."
    >
      <Section id="which" title="Overview">
        <SecretsTable sandbox={sandbox} />
        <Note>
          <p>
            The service shows each of them once, when it is created. We store keys as hashes and secrets encrypted, so we cannot show them
            again. If you lose one, rotate it.
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
          . Each operation names the scope that it needs; without it the answer is <Codes codes={["scope_missing"]} />. You can also limit a
          key to IP addresses (<Codes codes={["ip_not_allowed"]} />) and give it an expiry. A week before it expires, the partner&apos;s
          owners get an e-mail. Give each program its own key.
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
            Put it into your programs. Both pairs work until the overlap ends, and the old key&apos;s <code>revoked_at</code> is in the
            future. Callbacks of settlements that the old key created keep its signature in <code>{headers.signature}</code>.
          </li>
          <li>The old pair expires by itself. From then on, your newest key signs those callbacks.</li>
        </ol>
        <p>
          To rotate the callback secret:{" "}
          <code>
            {rotateCallbackSecretOperation.method} {rotateCallbackSecretOperation.path}
          </code>
          . During the overlap <code>webhook-signature</code> carries a signature under each secret: accept either. At most two secrets
          sign. If you rotate again during an overlap, the oldest secret ends at once, even if its <code>previous_expires_at</code> is still
          ahead.
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
          Rotate it with an overlap of 0, or revoke it in the console, and tell the operator. A key without its secret cannot sign, so it
          has no access to <code>/api/v1</code>. On the partner-management surface, <code>signed_management</code> says what an unsigned
          request can do: nothing if it is <code>all</code>, only read if it is <code>true</code> (<Codes codes={["signature_required"]} />
          ). When a key ends, the keys that were rotated from it or made with it end too.
        </p>
        <p>
          Anyone who finds a key with its secret in public can end both with one call, without an account:{" "}
          <code>
            {leakedKeyOperation.method} {leakedKeyOperation.path}
          </code>{" "}
          with <code>api_key</code>, <code>api_secret</code> and, if known, <code>found_at</code>. The answer is always the same. If the
          pair is right, the key ends at once, with the keys that it made. The partner&apos;s owners get an e-mail.
        </p>
        <p>
          For a secret scanner: keys match <code>{"key_(live|test)_[A-Za-z0-9_-]{32}"}</code>, API secrets{" "}
          <code>{"sec_(live|test)_[A-Za-z0-9_-]{32}"}</code>, and callback secrets <code>{"whsec_[A-Za-z0-9+/]+=*"}</code>.
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
          "Identifies you: in Authorization under /api/v1, in apiKey on the partner-management surface.",
          `The operator makes your first (${made}). You make more, in the console under Developers, API keys.${inSandbox("partner.api_key")}`,
        ],
        [
          "API secret",
          <code key="s">sec_…</code>,
          "Signs your requests, and verifies the second signature of callbacks. Never send it.",
          `It comes with its key.${inSandbox("partner.api_secret")}`,
        ],
        [
          "Callback secret",
          <code key="w">whsec_…</code>,
          "Verifies webhook-signature of callbacks. You have one for all callbacks.",
          `You make it, including the first: in the console under Developers, API keys, Rotate secret. Until then callbacks carry no webhook-signature.${inSandbox("partner.callback_secret")}`,
        ],
        [
          "Operator’s key",
          <code key="o">key_test_…, key_live_…</code>,
          "For the operator’s operations, and the sandbox’s controls.",
          `You have none in live mode.${inSandbox("operator.api_key")}`,
        ],
        [
          "Public keys",
          <code key="p">/.well-known/jwks.json</code>,
          "Verify signed quotes and receipts; with ?partner= and your partner id, your callbacks too. They are not secret.",
          "Anybody may fetch them.",
        ],
      ]}
    />
  );
}
