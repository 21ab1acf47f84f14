import type { Metadata } from "next";
import { jwksOperation } from "#contract/jwks.ts";
import { proofStatusOperation, proveSettlementOperation } from "#contract/settlement/v1/proof.ts";
import { holds, type ProofStatus } from "#domain/proof-status.ts";
import { Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import "../../_signature/signature.css";
import { Verifier } from "./verifier.tsx";

const page = pageAt("/docs/proofs");
export const metadata: Metadata = { title: page.title, description: page.summary };

const CLAIMS: readonly [string, string][] = [
  ["iss, sub, iat", "Who vouches, the settlement’s id, and when it was priced or executed, in Unix epoch seconds."],
  ["partner_id, external_merchant_id", "Whose it is."],
  ["source_amount_minor, source_currency", "What was taken, in minor units."],
  ["destination_amount_base, platform_fee_base, token_decimals", "What the wallet gets and the fee, in base units of the token."],
  ["exchange_rate, destination_currency", "The rate, with its digits."],
  ["chain, token_address, wallet_address", "Where it is paid; no token address: the chain’s own coin."],
  ["status", "The settlement’s status when it was signed. What it is now, the service says: see below."],
  [
    "quote_version, approval_state, expires_at",
    "Of a quote: which one, and until when it is promised; pending or rejected, it is no promise.",
  ],
  ["tx_hash, block_number, block_hash, log_index, executed_at", "Of a receipt: the log of the transaction that brought it."],
];

const STATUSES: readonly [ProofStatus, string][] = [
  ["in_force", "A quote that may be confirmed, or was confirmed and is being paid."],
  ["fulfilled", "A quote whose settlement was paid."],
  ["awaiting_approval", "A quote that an admin has not approved yet: nothing is promised."],
  ["superseded", "A quote that another price of the same settlement replaced."],
  ["expired", "A quote that was not confirmed in time."],
  ["rejected", "A quote that an admin rejected."],
  ["cancelled", "A quote that was cancelled."],
  ["failed", "A quote whose settlement failed: nothing was paid."],
  ["paid", "A receipt that the chain confirms as it was signed."],
  ["reversed", "A receipt that the chain contradicts: a deep fork has taken the payment back, for now at least."],
];

export default function Proofs() {
  return (
    <Shell
      current={page.path}
      title={page.title}
      lead="What was promised and what was paid, signed so that anybody can check it without asking."
    >
      <Section id="check" title="Check a proof">
        <Note>
          <p>The signature is checked in this page, by the browser’s own crypto, against the public keys of this service.</p>
        </Note>
        <Verifier />
      </Section>
      <Section id="get" title="Get one">
        <p>
          <code>
            {proveSettlementOperation.method} {proveSettlementOperation.path}
          </code>{" "}
          answers <code>quote</code>, and once the settlement is executed <code>receipt</code>. Each is a JWS in its compact form (RFC 7515)
          over canonical JSON (RFC 8785), signed with Ed25519 (<code>EdDSA</code>). A settlement has the same proof as long as its status is
          the same, until the key changes. A receipt is signed only while the chain confirms it: the payment succeeded, is final and is in
          the block that was booked, by the word of two nodes where two are configured. Otherwise the answer is 503: ask again.
        </p>
        <p>
          The public keys are at <code>{jwksOperation.path}</code>, for everybody. Keep a copy of them beside your proofs: with it they can
          be checked without us. A key that no longer signs stays there as long as its proofs are to be believed.
        </p>
      </Section>
      <Section id="now" title="Ask whether one still holds">
        <p>
          A signature says what was so when it was made. What became of it,{" "}
          <code>
            {proofStatusOperation.method} {proofStatusOperation.path}
          </code>{" "}
          tells whoever has the proof: no account, no key. The body is <code>{'{"proof": "…"}'}</code>, the answer names <code>type</code>,{" "}
          <code>tx_id</code>, <code>status</code>, <code>holds</code> and <code>checked_at</code>, and nothing that the proof does not say
          itself.
        </p>
        <Table
          caption="Status of a proof"
          columns={["Status", "Holds", "Meaning"]}
          rows={STATUSES.map(([status, meaning]) => [<code key={status}>{status}</code>, holds(status) ? "yes" : "no", meaning])}
        />
        <p>
          Anything that none of our published keys signed is 422 <code>validation_failed</code>. While the nodes do not confirm a receipt it
          is 503 <code>temporarily_unavailable</code>: neither yes nor no.
        </p>
      </Section>
      <Section id="offline" title="Check one in your own program">
        <p>
          Both SDKs do, without asking anybody: <code>verifyProof(proof, keys, {"{ issuer }"})</code> in TypeScript,{" "}
          <code>verify_proof(proof, keys, issuer=…)</code> in Python. They answer what it says, or refuse it with the reason. Whoever writes
          a verifier finds proofs that hold, and the ways in which one can be tampered with, in <code>docs/proof-vectors.json</code> of the
          repository.
        </p>
        <p>
          Keys with <code>purpose</code> <code>callbacks</code> sign one partner’s <a href="/docs/callbacks#public-key">callbacks</a> and no
          proof: pass them over.
        </p>
      </Section>
      <Section id="claims" title="What it says">
        <Table
          caption="Claims"
          columns={["Name", "Meaning"]}
          rows={CLAIMS.map(([names, meaning]) => [<Names key={names} names={names} />, meaning])}
        />
        <p>
          A receipt says where to look: whoever doubts it asks any node of the chain for that transaction. A quote is a promise, and only as
          good as its issuer.
        </p>
      </Section>
    </Shell>
  );
}

/** Each by itself, so that a narrow column breaks between them. */
function Names({ names }: { names: string }) {
  return names.split(", ").map((name, index) => (
    <span key={name}>
      {index > 0 && " "}
      <code>{name}</code>
    </span>
  ));
}
