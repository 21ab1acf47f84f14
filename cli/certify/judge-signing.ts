import type { Run } from "./scenarios.ts";

const SIGNING = ["missing_credentials", "unknown_api_key", "invalid_nonce", "signature_mismatch"];

/** Rules for every request of every run. */
export function judgeSigning(runs: readonly Run[]): { nonces: string | null; signatures: string | null } {
  const seen = runs.flatMap((run) => run.seen).filter(({ operation }) => operation !== "time");
  const nonces = seen.flatMap(({ nonce }) => (nonce === "" || nonce === null ? [] : nonce.toLowerCase()));
  const twice = nonces.find((nonce, index) => nonces.indexOf(nonce) !== index);
  const codes = seen.flatMap(({ code }) => (code !== null && SIGNING.includes(code) ? code : []));
  const mistakes = [...new Set(codes)];
  return {
    nonces: twice === undefined ? null : `It sent the nonce ${twice} twice.`,
    signatures: mistakes.length > 0 ? `It was refused: ${mistakes.join(", ")}.` : seen.length === 0 ? "It sent no request." : null,
  };
}
