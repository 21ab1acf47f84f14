import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type AuditKey, type ChainEnd, openAuditKey, readChainEnd } from "#domain/audit-key.ts";
import type { KeptAttestations } from "#server/services/attestations/audit-attestations.ts";

/** What somebody kept outside of the database: ends of the audit log, or daily attestations. */
export type Kept = { anchors?: ChainEnd[]; attestations?: KeptAttestations };

/** A folder of attestations, one attestation, or lines as `--anchor` prints them. @throws Error for any other line */
export function readKept(path: string): Kept {
  if (statSync(path).isDirectory()) {
    const names = readdirSync(path).filter((name) => name.endsWith(".json"));
    const files = names.toSorted().map((name) => ({ name, content: readFileSync(join(path, name), "utf8") }));
    return { attestations: { files, isFolder: true } };
  }
  const content = readFileSync(path, "utf8");
  const isAttestation = content.startsWith("{") || path.endsWith(".json");
  return isAttestation
    ? { attestations: { files: [{ name: basename(path), content }], isFolder: false } }
    : { anchors: readAnchors(path, content) };
}

/** The first word of each line. */
function readAnchors(file: string, content: string): ChainEnd[] {
  return content.split("\n").flatMap((line, index) => {
    const [word = ""] = line.trim().split(/\s+/);
    const end = readChainEnd(word);
    if (word !== "" && end === null) throw new Error(`${file}, line ${index + 1}: it is no anchor as --anchor prints it.`);
    return end === null ? [] : [end];
  });
}

/** A key that only verifies. @throws Error unless it is 32 bytes in base64 */
export function readPublicKey(text: string): AuditKey {
  const publicKey = Buffer.from(text, "base64");
  if (publicKey.length !== 32) throw new Error(`${text} is no public key: 32 bytes in base64.`);
  return openAuditKey({ secret: null, publicKey, begins: null });
}
