import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findLastSeal, listSeals } from "#db/queries/audit/audit-seals.ts";
import { SYSTEM } from "#domain/access.ts";
import { type AuditKey, mayGoOn, openAuditKey, publicHalfOf, readChainEnd } from "#domain/audit-key.ts";
import { NO_SEAL, sealHash } from "#domain/audit-seal.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { openTamperer } from "#testing/tamper.ts";
import { sealAuditLog } from "./seal-audit-log.ts";
import { takeAnchor } from "./take-anchor.ts";

/** An attacker with the owner's rights over the database cannot rewrite the whole chain without the worker's key. */

const secret = randomBytes(32);
const worker = openAuditKey({ secret, publicKey: null, begins: null });
/** Who only looks: the console, `npm run audit`. */
const looking = openAuditKey({ secret: null, publicKey: publicHalfOf(secret), begins: null });
let database: TestDatabase;
let tamperer: ReturnType<typeof openTamperer>;

beforeAll(async () => {
  database = await createTestDatabase();
  tamperer = openTamperer(database.url);
  for (let batch = 1; batch <= 4; batch += 1) {
    for (let number = 1; number <= 3; number += 1) await write(database.db, `object-${batch}-${number}`);
    await sealAuditLog({ db: database.db, auditKey: worker });
  }
});
afterAll(async () => {
  await tamperer.close();
  await database.close();
});

const write = (db: Database, objectId: string) =>
  insertAuditEntry(db, { by: SYSTEM, partnerId: null, action: "user.created", objectId, change: {}, now: new Date() });

/** Computes every seal again over the entries as they are now: a consistent chain. Earlier verifications are rewritten to match. */
async function rewrite(tx: Database, signature: "kept" | "dropped" | AuditKey): Promise<void> {
  let end = { ...NO_SEAL };
  for (const { seal, entry } of await listSeals(tx, { after: 0, upTo: 10_000, limit: 10_000 })) {
    if (entry === null) throw new Error("an entry is gone");
    end = { seq: seal.seq, hash: sealHash(end.hash, seal, entry) };
    const signed =
      signature === "dropped" || seal.signature === null ? null : signature === "kept" ? seal.signature : signature.sign?.(end);
    await tx.execute(sql`update audit_seals set hash = ${end.hash}, signature = ${signed ?? null} where seq = ${seal.seq}`);
  }
  await tx.execute(sql`update audit_verifications v set hash = s.hash from audit_seals s where s.seq = v.seq`);
}

const FORGED = "update audit_entries set action = 'user.signed_in' where object_id = 'object-2-2'";

describe("a chain that was written again, whole and consistent", () => {
  const seen = (signature: Parameters<typeof rewrite>[1], auditKey?: AuditKey) =>
    tamperer.tamper(FORGED, async (tx) => {
      await rewrite(tx, signature);
      const { rules } = await auditDatabase({ db: tx, ...(auditKey && { auditKey }) });
      return rules.find(({ rule }) => rule === "audit_log_is_sealed")?.violations.map(({ detail }) => detail) ?? [];
    });

  it("is found by who knows the public key, whether the signatures were left, taken away or made with another key", async () => {
    expect(await seen("kept", looking)).toEqual([expect.stringContaining("The signature is not one by the worker's key")]);
    expect(await seen("dropped", looking)).toEqual([expect.stringContaining("that the worker's key has not signed")]);
    const another = openAuditKey({ secret: randomBytes(32), publicKey: null, begins: null });
    expect(await seen(another, looking)).toEqual([expect.stringContaining("The signature is not one by the worker's key")]);
  });

  it("is not found without: the hashes alone are anybody's to compute", async () => {
    expect(await seen("dropped")).toEqual([]);
  });

  it("is not gone on from: the next action does not confirm it", async () => {
    for (const signature of ["kept", "dropped"] as const) {
      const sealing = tamperer.tamper(FORGED, async (tx) => {
        await rewrite(tx, signature);
        await write(tx, "the-next-deed");
        return await sealAuditLog({ db: tx, auditKey: worker });
      });
      await expect(sealing).rejects.toThrow(/which AUDIT_KEY has not signed: nothing is sealed/);
    }
  });
});

describe("an end of the chain that was kept elsewhere", () => {
  it("is passed by the chain as it goes on, and missed by one that was cut off", async () => {
    const { anchor } = await takeAnchor(database);
    if (anchor === null) throw new Error("there is no anchor");
    await write(database.db, "later");
    await sealAuditLog({ db: database.db, auditKey: worker });
    const audit = (db: Database) => auditDatabase({ db, auditKey: looking }, { anchors: [anchor] });
    expect((await audit(database.db)).violations).toBe(0);
    // Cut off behind an end that was signed: a valid, shorter chain with nothing else to contradict it.
    const cut = `create temporary table gone as select entry_id from audit_seals where seq > 9;
      delete from audit_verifications; delete from audit_seals where seq > 9; delete from audit_entries where id in (select entry_id from gone)`;
    const details = await tamperer.tamper(cut, async (tx) => {
      const { rules } = await audit(tx);
      return rules.flatMap(({ violations }) => violations.map(({ subject, detail }) => [subject, detail]));
    });
    expect(details).toEqual([[`seal #${anchor.seq}`, expect.stringContaining("does not pass here any more")]]);
  });

  it("is none of a chain that does not hold", async () => {
    const { flaws } = await tamperer.tamper(FORGED, (tx) => takeAnchor({ db: tx }));
    expect(flaws).toHaveLength(1);
  });
});

describe("a key over seals that were there before it", () => {
  it("begins at exactly the end that somebody verified and named, and nowhere else", async () => {
    const old = await createTestDatabase();
    try {
      await write(old.db, "before-the-key");
      await sealAuditLog({ db: old.db });
      const end = await findLastSeal(old.db);
      if (end === null) throw new Error("nothing was sealed");
      await write(old.db, "with-the-key");
      await expect(sealAuditLog({ db: old.db, auditKey: worker })).rejects.toThrow(`ends at ${end.seq}:${end.hash}`);
      const begins = readChainEnd(`${end.seq}:${end.hash}`);
      expect((await sealAuditLog({ db: old.db, auditKey: openAuditKey({ secret, publicKey: null, begins }) })).sealed).toBe(1);
      // From then on nobody need supply the end, and the supplied one is still checked.
      await write(old.db, "and-on");
      expect((await sealAuditLog({ db: old.db, auditKey: worker })).sealed).toBe(1);
      // The same way another key takes its place.
      const rotated = randomBytes(32);
      await write(old.db, "with-the-next-key");
      const next = openAuditKey({ secret: rotated, publicKey: null, begins: null });
      await expect(sealAuditLog({ db: old.db, auditKey: next })).rejects.toThrow("nothing is sealed");
      const { anchor } = await takeAnchor(old);
      const nextWarning = openAuditKey({ secret: rotated, publicKey: null, begins: anchor });
      expect((await auditDatabase({ db: old.db, auditKey: nextWarning })).violations).toBe(0);
      expect((await sealAuditLog({ db: old.db, auditKey: nextWarning })).sealed).toBe(1);
      expect((await auditDatabase({ db: old.db, auditKey: nextWarning })).violations).toBe(0);
      const key = openAuditKey({ secret: null, publicKey: publicHalfOf(secret), begins: { seq: 1, hash: "0".repeat(64) } });
      expect((await auditDatabase({ db: old.db, auditKey: key })).violations).toBeGreaterThan(0);
    } finally {
      await old.close();
    }
  });

  it("is not stopped by an empty chain, nor, in the sandbox, by any", () => {
    const unsigned = { seq: 3, hash: "a".repeat(64), signature: null };
    expect(mayGoOn(worker, null)).toBe(true);
    expect(mayGoOn(worker, unsigned)).toBe(false);
    expect(mayGoOn({ ...worker, begins: "behind unsigned" }, unsigned)).toBe(true);
    expect(mayGoOn({ ...worker, begins: "behind unsigned" }, { ...unsigned, signature: "AAAA" })).toBe(false);
    expect(mayGoOn({ ...worker, begins: { seq: 3, hash: "b".repeat(64) } }, unsigned)).toBe(false);
  });
});
