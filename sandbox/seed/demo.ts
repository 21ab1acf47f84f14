import { sql } from "drizzle-orm";
import { type Database, openDatabase } from "#db/client.ts";
import { addClockOffset, readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { systemClock } from "#server/adapters/clock.ts";
import { createVault } from "#server/adapters/vault.ts";
import type { Uses } from "#server/context.ts";
import { ensureApiKey, ensureCallbackSecret, ensurePartner, retireUnreadableSecrets } from "./demo-partner.ts";
import { type DemoPartner, type DemoSecrets, ensureUsers, readKeptSecrets } from "./demo-users.ts";
import { seedPairs, seedPools } from "./pairs.ts";

export type { DemoSecrets } from "./demo-users.ts";

export type SeedDemo = {
  /** Of a migrated database, with the role that owns it. */
  databaseUrl: string;
  /** As `VAULT_KEYS`. */
  vaultKeys: string;
  /** The sandbox's chains with the addresses of their test tokens. */
  chains: readonly { chain: string; tokens: Readonly<Record<string, string>> }[];
  /** What the start before was answered; null before the first. */
  secrets: unknown;
  /** Since when everything that is created exists: before the history. Left out: since now. */
  since?: Date;
};

/** The test tokens are made so. */
const TOKEN_DECIMALS = 6;

/**
 * The sandbox's initial data: pairs and fixed rates, fiat pools, two partners with keys, an operator's key and a user of each role
 * (contract, part 8). Safe at every start and from several processes at once: existing data stays, and missing data is created, with the
 * stored secrets if any. The result is always what works now, to be stored for the next start.
 */
export async function seedDemo(seed: SeedDemo): Promise<DemoSecrets> {
  const kept = readKeptSecrets(seed.secrets);
  const { since } = seed;
  const powers = { clock: since ? { now: () => since } : systemClock, vault: createVault(readVaultKeys(seed.vaultKeys)) };
  const { db, close } = openDatabase({ url: seed.databaseUrl, applicationName: "seed", maxConnections: 1 });
  try {
    return await db.transaction(async (tx) => {
      // Another start may be hashing its people's passwords: that is worth more than the usual wait for a lock.
      await tx.execute(sql`set local lock_timeout = '60s'`);
      await tx.execute(sql`set local statement_timeout = '60s'`);
      await tx.execute(sql`select pg_advisory_xact_lock(7355609)`);
      const chains = seed.chains.map(({ chain, tokens }) => ({
        chain,
        tokens: Object.keys(tokens).map((currency) => ({ currency, decimals: TOKEN_DECIMALS })),
      }));
      const now = await readBusinessNow(tx);
      if (since) await addClockOffset(tx, since.getTime() - now.getTime(), 0);
      await seedPairs(tx, chains, { since: since ?? now, now });
      await seedPools(tx, since ?? now);
      const secrets = await seedPeople(tx, powers, kept);
      if (since) await addClockOffset(tx, now.getTime() - since.getTime(), 0);
      return secrets;
    });
  } finally {
    await close();
  }
}

/** `id:base64,id:base64,…`, as the sandbox itself has written it. */
export function readVaultKeys(text: string): { id: string; key: Uint8Array }[] {
  return text.split(",").map((entry) => {
    const [id = "", key = ""] = entry.trim().split(":");
    return { id, key: Buffer.from(key, "base64") };
  });
}

type Powers = Uses<"clock" | "vault">;

async function seedPeople(tx: Database, powers: Powers, kept: DemoSecrets | null): Promise<DemoSecrets> {
  const partner = await seedPartner(tx, powers, { name: "Demo Partner", slug: "demo" }, kept?.partner ?? null);
  const secondPartner = await seedPartner(tx, powers, { name: "Second Partner", slug: "second" }, kept?.secondPartner ?? null);
  const operator = await ensureApiKey(tx, powers, { partnerId: null, name: "Sandbox operator" }, kept?.operator ?? null);
  const users = await ensureUsers(tx, partner.id, kept && { users: kept.users, keptFor: kept.partner.id });
  return { partner, secondPartner, operator: { apiKey: operator.apiKey }, users };
}

async function seedPartner(
  tx: Database,
  powers: Powers,
  names: { name: string; slug: string },
  kept: DemoPartner | null,
): Promise<DemoPartner> {
  const id = await ensurePartner(tx, { ...names, id: kept?.id ?? null });
  await retireUnreadableSecrets(tx, powers, id);
  const { apiKey, apiSecret } = await ensureApiKey(tx, powers, { partnerId: id, name: "Sandbox key" }, kept);
  return { id, apiKey, apiSecret, callbackSecret: await ensureCallbackSecret(tx, powers, id, kept?.callbackSecret ?? null) };
}
