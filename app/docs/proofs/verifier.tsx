"use client";

import { useEffect, useId, useState } from "react";
import { type ProofJwk, type Verified, verifyProof } from "#domain/verify-proof.ts";

const JWKS = "/.well-known/jwks.json";
const HEADINGS = { quote: "A quote, as it was promised", receipt: "A receipt: paid and final" };

/** Verifies a proof in the page. A proof in the URL's fragment is verified at once; the fragment is sent to nobody. */
export function Verifier() {
  const id = useId();
  const [proof, setProof] = useState("");
  const [found, setFound] = useState<Verified | null>(null);
  const check = async (text: string) => {
    setProof(text);
    setFound(text.trim() === "" ? null : await judge(text));
  };
  useEffect(() => {
    const given = decodeURIComponent(window.location.hash.slice(1));
    if (!given.includes(".")) return;
    setProof(given);
    void judge(given).then(setFound);
  }, []);
  return (
    <div className="sig-form">
      <div className="sig-field">
        <label className="sig-label" htmlFor={id}>
          Proof
        </label>
        <textarea
          id={id}
          className="sig-input"
          rows={6}
          value={proof}
          onChange={({ target }) => void check(target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <div role="status">{found && <Finding found={found} />}</div>
    </div>
  );
}

async function judge(text: string): Promise<Verified> {
  try {
    const answer = await fetch(JWKS);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return await verifyProof(text, (await answer.json()) as { keys: ProofJwk[] });
  } catch {
    return { valid: false, reason: "It could not be verified: the keys could not be loaded, or this browser does not support Ed25519." };
  }
}

function Finding({ found }: { found: Verified }) {
  if (!found.valid) return <p className="sig-note">Not proven. {found.reason}</p>;
  const { type, kid, claims } = found;
  return (
    <>
      <h3>{HEADINGS[type]}</h3>
      <p>
        Signed by {claims.iss} with its key {kid}.
      </p>
      <dl className="proof-claims">
        {Object.entries(claims).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === null ? "none" : value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
