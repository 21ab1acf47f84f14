import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { listSeals, lockVerifying } from "#db/queries/audit/audit-seals.ts";
import { SYSTEM } from "#domain/access.ts";
import { sealHash } from "#domain/audit-seal.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { openTamperer } from "#testing/tamper.ts";
import { readSealState } from "./browse-audit-log.ts";
import { SEALING_BATCH, sealAuditLog, walkAuditChain, walkRanges } from "./seal-audit-log.ts";
import { keepAuditLogVerified, verifyAuditLog } from "./verify-audit-log.ts";

const SILENT = { info: () => {}, warn: () => {}, error: () => {}, child: () => SILENT };
let database: TestDatabase;
let tamperer: ReturnType<typeof openTamperer>;
const ctx = () => ({ db: database.db, clock: { now: () => new Date() }, log: SILENT });

beforeAll(async () => {
  database = await createTestDatabase();
  tamperer = openTamperer(database.url);
  for (let number = 1; number <= 8; number += 1) await write(`object-${number}`);
  await sealAuditLog(ctx());
});
afterAll(async () => {
  await tamperer.close();
  await database.close();
});

async function write(objectId: string, now = new Date()): Promise<void> {
  const by = { actor: { type: "user", userId: randomUUID(), role: "admin", partnerId: null }, requestId: "req_1" } as const;
  const change = { text: 'naïve ⏎ "quoted"', amount: 12345678901234567890n.toString(), nested: { b: 1, a: [null, 0.1] } };
  await insertAuditEntry(database.db, { by, partnerId: null, action: "thing.changed", objectId, reason: "because", change, now });
}

async function sealAll(): Promise<number> {
  let sealed = 0;
  for (let more = true; more; ) {
    const pass = await sealAuditLog(ctx());
    sealed += pass.sealed;
    more = pass.sealed > 0;
  }
  return sealed;
}

const flawsAfter = (change: string) => tamperer.tamper(change, async (tx) => (await walkAuditChain(tx)).flaws);

describe("the chain over the audit log", () => {
  it("seals every entry once, numbered without a gap, each hash over the one before", async () => {
    const walk = await walkAuditChain(database.db);
    expect(walk).toMatchObject({ checked: 8, seq: 8, flaws: [] });
    const seals = await listSeals(database.db, { after: 0, upTo: 8, limit: 100 });
    expect(seals.map(({ seal }) => seal.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    let previous = "";
    for (const { seal, entry } of seals) {
      if (entry === null) throw new Error("an entry is gone");
      expect(seal.hash).toBe(sealHash(previous, seal, entry));
      previous = seal.hash;
    }
    expect((await sealAuditLog(ctx())).sealed).toBe(0);
  });

  it("is written by one worker at a time, while entries keep coming", async () => {
    const total = 40;
    const writing = Promise.all(Array.from({ length: total }, (_, index) => write(`busy-${index}`)));
    const rounds = await Promise.all(Array.from({ length: 6 }, () => sealAuditLog(ctx())));
    await writing;
    const sealed = rounds.reduce((sum, pass) => sum + pass.sealed, 0) + (await sealAll());
    expect(sealed).toBe(total);
    expect((await walkAuditChain(database.db)).flaws).toEqual([]);
  });

  it("leaves what was rolled back, and the entry of an action that is not committed yet, for later", async () => {
    const before = (await walkAuditChain(database.db)).seq;
    await database.db.transaction(async (tx) => {
      await insertAuditEntry(tx, {
        by: SYSTEM,
        partnerId: null,
        action: "slow.action",
        objectId: "x",
        change: {},
        now: new Date(),
      });
      expect((await sealAuditLog(ctx())).sealed).toBe(0);
      await write("meanwhile");
      expect((await sealAuditLog(ctx())).sealed).toBe(1);
    });
    expect(await sealAll()).toBe(1);
    expect(await walkAuditChain(database.db)).toMatchObject({ seq: before + 2, flaws: [] });
  });

  it("seals more than a batch in several rounds", async () => {
    await database.db.transaction(async (tx) => {
      for (let number = 0; number < SEALING_BATCH + 20; number += 1)
        await insertAuditEntry(tx, {
          by: SYSTEM,
          partnerId: null,
          action: "bulk",
          objectId: "b",
          change: { number },
          now: new Date(),
        });
    });
    expect((await sealAuditLog(ctx())).sealed).toBe(SEALING_BATCH);
    expect((await sealAuditLog(ctx())).sealed).toBe(20);
  });

  it("can neither be rewritten nor shortened by the application, nor by its owner without taking the guards away", async () => {
    for (const statement of ["update audit_seals set hash = 'x'", "delete from audit_seals", "update audit_verifications set seq = 0"])
      await expect(database.db.execute(sql.raw(statement))).rejects.toThrow();
  });
});

describe("verifying finds", () => {
  const THIRD = "(select entry_id from audit_seals where seq = 3)";
  const CASES: [what: string, change: string, seq: number, flaw: RegExp][] = [
    ["an entry whose reason was changed", `update audit_entries set reason = 'another' where id = ${THIRD}`, 3, /altered/],
    ["an entry whose author was changed", `update audit_entries set actor_id = '${randomUUID()}' where id = ${THIRD}`, 3, /altered/],
    [
      "a change in the last digit of a long number",
      `update audit_entries set change = jsonb_set(change, '{nested,b}', '1.00000000000000000001') where id = ${THIRD}`,
      3,
      /altered/,
    ],
    ["an entry that was moved in time", `update audit_entries set at = at - interval '1 millisecond' where id = ${THIRD}`, 3, /altered/],
    ["an entry that was removed", `delete from audit_entries where id = ${THIRD}`, 3, /removed/],
    [
      "an entry that was removed with its seal",
      `with s as (delete from audit_seals where seq = 3 returning entry_id) delete from audit_entries where id in (select entry_id from s)`,
      3,
      /missing/,
    ],
    [
      "two seals that changed places",
      `update audit_seals set entry_id = case seq when 3 then (select entry_id from audit_seals where seq = 4) else (select entry_id from audit_seals where seq = 3) end where seq in (3, 4)`,
      3,
      /altered/,
    ],
    ["a hash that was written again", `update audit_seals set hash = repeat('0', 64) where seq = 3`, 3, /altered/],
    ["a seal whose instant was changed", `update audit_seals set sealed_at = sealed_at + interval '1 hour' where seq = 3`, 3, /altered/],
  ];
  // Swapping is two statements under one unique constraint; without it, as an owner would.
  const unguarded = (change: string) => `alter table audit_seals drop constraint "audit_seals_entryId_unique"; ${change}`;
  it.each(CASES)("%s, and names the first", async (_what, change, seq, flaw) => {
    const flaws = await flawsAfter(unguarded(change));
    expect(flaws[0]).toMatchObject({ seq, flaw: expect.stringMatching(flaw) });
  });

  it("an entry that was put in past the service, also an old one", async () => {
    const flaws = await flawsAfter(
      `insert into audit_entries (id, at, actor_type, action, object_id, change) values ('au_00000000000000000000000000', now() - interval '9 days', 'system', 'forged', 'x', '{}')`,
    );
    expect(flaws).toEqual([
      { seq: null, entryId: "au_00000000000000000000000000", flaw: expect.stringContaining("inserted past the service") },
    ]);
  });

  it("an entry that disappeared before its seal", async () => {
    const flaws = await flawsAfter("insert into audit_unsealed (entry_id) values ('au_00000000000000000000000000')");
    expect(flaws[0]?.flaw).toContain("removed before it was sealed");
  });

  it("an entry written in the service's own manner with a date of long ago", async () => {
    await sealAll();
    await write("of-today");
    await sealAll();
    const flaws = await tamperer.tamper(
      `with e as (insert into audit_entries (id, at, actor_type, action, object_id, change)
        values ('au_00000000000000000000000001', now() - interval '9 days', 'system', 'forged', 'x', '{}') returning id) insert into audit_unsealed select id from e`,
      async (tx) => {
        await sealAuditLog({ db: tx });
        return (await walkAuditChain(tx)).flaws;
      },
    );
    expect(flaws).toMatchObject([{ entryId: "au_00000000000000000000000001", flaw: "The entry was written later than it says." }]);
  });

  it("a log that was cut off at its end since it was last verified", async () => {
    await write("the-last-deed");
    await sealAll();
    const reached: { checked: number; of: number }[] = [];
    const verification = await verifyAuditLog(ctx(), { userId: null, onPage: (progress) => reached.push(progress) });
    expect(verification).toMatchObject({ flaws: 0, named: [] });
    expect(reached.at(-1)).toEqual({ checked: verification.seq, of: verification.seq });
    // One that somebody ends leaves no result.
    await expect(verifyAuditLog(ctx(), { userId: null, signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect((await readSealState(ctx())).verification?.at).toEqual(verification.at);
    const flaws = await flawsAfter(
      `with s as (delete from audit_seals where seq = ${verification.seq} returning entry_id) delete from audit_entries where id in (select entry_id from s)`,
    );
    expect(flaws).toMatchObject([{ seq: verification.seq, flaw: expect.stringContaining("now ends before it") }]);
  });

  it("what is old as well, once its stretch comes round each hour; and what was found stays named", async () => {
    while ((await walkAuditChain(database.db)).seq < 20) {
      await write("one-more");
      await sealAll();
    }
    await verifyAuditLog(ctx(), { userId: null });
    const stored = [
      `update audit_entries set reason = 'another' where id = ${THIRD}`,
      `insert into audit_entries (id, at, actor_type, action, object_id, change)
        select id || '0', now(), 'system', 'forged', 'x', '{}' from audit_entries where id = ${THIRD}`,
    ];
    for (const change of stored) {
      const found = await tamperer.tamper(change, async (tx) => {
        const counts: number[] = [];
        const [{ seq } = { seq: 0 }] = (await listSeals(tx, { after: 0, upTo: 1_000, limit: 1_000 })).slice(-1).map(({ seal }) => seal);
        const turns = Math.ceil(seq / 4);
        for (let hour = 0; hour < 2 * turns; hour += 1) {
          const clock = { now: () => new Date(Date.now() + hour * 3_600_000) };
          const verified = await keepAuditLogVerified({ ...ctx(), db: tx, clock }, { rangeLength: 4, everyMs: 0 });
          counts.push(verified?.flaws ?? -1);
        }
        return { counts, turns };
      });
      const first = found.counts.indexOf(1);
      expect([first >= 0 && first < found.turns, found.counts.slice(first).every((count) => count === 1)]).toEqual([true, true]);
    }
  });

  it("of what is old no more than a stretch at a time, by one worker at a time, once an hour", async () => {
    const { seq } = await verifyAuditLog(ctx(), { userId: null });
    await write("since-then");
    await sealAll();
    expect(
      await walkRanges(database.db, [
        { after: 4, upTo: 8 },
        { after: seq, upTo: null },
      ]),
    ).toMatchObject({
      checked: 5,
      seq: seq + 1,
      flaws: [],
    });
    expect(await keepAuditLogVerified(ctx())).toBeNull();
    const both = await Promise.all([1, 2].map(() => keepAuditLogVerified(ctx(), { rangeLength: 4, everyMs: 1 })));
    expect(both.some((each) => each?.seq === seq + 1 && each.flaws === 0)).toBe(true);
    await database.db.transaction(async (tx) => {
      await lockVerifying(tx);
      expect(await keepAuditLogVerified(ctx(), { everyMs: 0 })).toBeNull();
    });
  });

  it("only what is in its scope, when it is given one", async () => {
    const tampered = `update audit_entries set reason = 'another' where id = ${THIRD}`;
    const scoped = (fromId: string) => tamperer.tamper(tampered, async (tx) => await walkAuditChain(tx, fromId));
    const later = await scoped("au_zzzzzzzzzzzzzzzzzzzzzzzzzz");
    expect(later).toMatchObject({ checked: 0, flaws: [] });
    const [fourth] = await listSeals(database.db, { after: 3, upTo: 4, limit: 1 });
    expect((await scoped(fourth?.seal.entryId ?? "")).flaws).toEqual([]);
  });
});
