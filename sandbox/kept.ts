import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { FAMILY_PORTS, type FamilyPort } from "#sandbox/chain/family-ports.ts";
import { writeWhole } from "#sandbox/data-directory.ts";
import { errorCode, Trouble } from "#server/process/trouble.ts";

const port = z.number().nullable().default(null);
/** Of the other families' networks. */
const OTHER_PORTS = forEachPort(port);

const Kept = z.object({
  postgresPassword: z.string(),
  databasePassword: z.string(),
  /** `VAULT_KEYS` of this sandbox. */
  vaultKeys: z.string(),
  /** `AUDIT_KEY` of this sandbox; an older sandbox without one gets its own. */
  auditKey: z.string().default(() => randomBytes(32).toString("base64")),
  /** `PROOF_KEYS` of this sandbox. */
  proofKeys: z.string().default(newProofKeys),
  /** `CALLBACK_KEYS` of this sandbox. */
  callbackKeys: z.string().default(newCallbackKeys),
  /** What the simulated fiat provider signs with. */
  railSecret: z.string(),
  /** Reused at every start, so that what developers wrote down stays valid. */
  ports: z.object({
    postgres: z.number().nullable(),
    chain: z.number().nullable(),
    receivers: z.number().nullable().default(null),
    ...OTHER_PORTS,
  }),
  /** The demo data's keys and passwords, as the seed answered them; null before the first time. */
  demo: z.unknown(),
});
export type Kept = z.infer<typeof Kept>;

/** What a sandbox must remember so that its second start has the same keys: made at the first. */
export function readKept(directory: string): Kept {
  const file = join(directory, "kept.json");
  try {
    return Kept.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (errorCode(error) !== "ENOENT")
      throw new Trouble(`${file} is damaged or not readable by this user: repair it, or remove ${directory} to begin again.`);
  }
  const kept: Kept = {
    postgresPassword: randomBytes(18).toString("hex"),
    databasePassword: randomBytes(18).toString("hex"),
    vaultKeys: `sandbox:${randomBytes(32).toString("base64")}`,
    auditKey: randomBytes(32).toString("base64"),
    proofKeys: newProofKeys(),
    callbackKeys: newCallbackKeys(),
    railSecret: `rail_test_${randomBytes(24).toString("base64url")}`,
    ports: { postgres: null, chain: null, receivers: null, ...forEachPort(null) },
    demo: null,
  };
  writeKept(directory, kept);
  return kept;
}

function forEachPort<Value>(value: Value): Record<FamilyPort, Value> {
  return Object.fromEntries(FAMILY_PORTS.map((name) => [name, value])) as Record<FamilyPort, Value>;
}

function newProofKeys(): string {
  return `sandbox:${randomBytes(32).toString("base64")}`;
}

function newCallbackKeys(): string {
  return `sandbox-callbacks:${randomBytes(32).toString("base64")}`;
}

export function writeKept(directory: string, kept: Kept): void {
  writeWhole(join(directory, "kept.json"), `${JSON.stringify(kept, null, 2)}\n`);
}
