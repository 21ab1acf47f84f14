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
  ["iss, sub, iat", "The issuer, the settlement’s id, and when it was priced or executed, in Unix epoch seconds."],
  ["partner_id, external_merchant_id", "Your partner id, and your id of the merchant."],
  ["source_amount_minor, source_currency", "What was taken, in minor units."],
  ["destination_amount_base, platform_fee_base, token_decimals", "What the wallet gets and the fee, in base units of the token."],
  ["exchange_rate, destination_currency", "The rate, with its digits."],
  ["chain, token_address, wallet_address", "Where it is paid. Without a token address: the chain’s own coin."],
  ["status", "The settlement’s status when the proof was signed. POST /proofs/status says what is true now."],
  [
    "quote_version, approval_state, expires_at",
    "Of a quote: which one, and until when it is guaranteed. A pending or rejected quote guarantees nothing.",
  ],
  [
    "tx_hash, block_number, block_hash, log_index, executed_at",
    "Of a receipt: the transaction and its log entry that paid. One transaction may pay several settlements, each by its own log entry.",
  ],
];

const STATUSES: readonly [ProofStatus, string][] = [
  ["in_force", "A quote that can be confirmed, or is confirmed and being paid."],
  ["fulfilled", "A quote whose settlement is paid."],
  ["awaiting_approval", "A quote that an admin has not approved yet: nothing is guaranteed."],
  ["superseded", "A quote that a new price of the same settlement has replaced."],
  ["expired", "A quote that was not confirmed in time."],
  ["rejected", "A quote that an admin rejected."],
  ["cancelled", "A quote that was cancelled."],
  ["failed", "A quote whose settlement failed: nothing was paid."],
  ["paid", "A receipt that the chain confirms."],
  [
    "reversed",
    "A receipt that the chain contradicts: a deep reorg has taken its transaction back, at least for now. If another transaction paid instead, ask for a new receipt.",
  ],
];

export default function Proofs() {
  return (
    <Shell current={page.path} title={page.title} lead="What was promised and what was paid, signed so that anybody can verify it.">
      <Section id="check" title="Check a proof">
        <Note>
          <p>Your browser verifies the signature in this page, against the public keys of this service.</p>
        </Note>
        <Verifier />
      </Section>
      <Section id="get" title="Get a proof">
        <p>
          <code>
            {proveSettlementOperation.method} {proveSettlementOperation.path}
          </code>{" "}
          returns <code>quote</code>, and also <code>receipt</code> once the settlement is executed. Each is a compact JWS (RFC 7515) over
          canonical JSON (RFC 8785), signed with Ed25519 (<code>EdDSA</code>). A settlement’s proof stays the same until its status or the
          key changes. The service signs a receipt only while the chain confirms it: the payment succeeded, is final and is in the recorded
          block. If the service has two nodes, both must confirm it. Otherwise the answer is 503: try again.
        </p>
        <p>
          The public keys are at <code>{jwksOperation.path}</code>, for everybody. Keep a copy with your proofs, so that you can verify them
          without us. A key that no longer signs stays there as long as its proofs are valid.
        </p>
      </Section>
      <Section id="now" title="Ask whether a proof is still valid">
        <p>
          A signature proves what was true when it was made.{" "}
          <code>
            {proofStatusOperation.method} {proofStatusOperation.path}
          </code>{" "}
          says what is true now, to anyone who has the proof: no account, no key. The body is <code>{'{"proof": "…"}'}</code>. The answer
          has <code>type</code>, <code>tx_id</code>, <code>status</code>, <code>holds</code> and <code>checked_at</code>. Apart from these,
          it reveals nothing that is not in the proof.
        </p>
        <Table
          caption="Status of a proof"
          columns={["Status", "holds", "Meaning"]}
          rows={STATUSES.map(([status, meaning]) => [<code key={status}>{status}</code>, holds(status) ? "yes" : "no", meaning])}
        />
        <p>
          A text that none of our published keys signed gets 422 <code>validation_failed</code>. While the nodes do not confirm a receipt,
          the answer is 503 <code>temporarily_unavailable</code>: that means neither yes nor no.
        </p>
      </Section>
      <Section id="offline" title="Verify a proof in your own program">
        <p>
          Both SDKs do this offline: <code>verifyProof(proof, keys, {"{ issuer }"})</code> in TypeScript,{" "}
          <code>verify_proof(proof, keys, issuer=…)</code> in Python. They return its claims, or refuse it with the reason. If you write a
          verifier, test it with the valid and the tampered proofs in <code>docs/proof-vectors.json</code> of the repository.
        </p>
        <p>
          Ignore keys with <code>purpose</code> <code>callbacks</code>: they sign one partner’s{" "}
          <a href="/docs/callbacks#public-key">callbacks</a>, and no proofs.
        </p>
      </Section>
      <Section id="claims" title="Claims">
        <Table
          caption="Claims"
          columns={["Name", "Meaning"]}
          rows={CLAIMS.map(([names, meaning]) => [<Names key={names} names={names} />, meaning])}
        />
        <p>
          A receipt says where to look: you can ask any node of the chain for that transaction. A quote is a promise, and is only as good as
          its issuer.
        </p>
      </Section>
    </Shell>
  );
}

/** Each name separately, so that a narrow column breaks between them. */
function Names({ names }: { names: string }) {
  return names.split(", ").map((name, index) => (
    <span key={name}>
      {index > 0 && " "}
      <code>{name}</code>
    </span>
  ));
}
