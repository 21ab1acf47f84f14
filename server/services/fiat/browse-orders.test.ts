import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopedTo } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { SYSTEM } from "#domain/access.ts";
import type { Walk } from "#domain/page.ts";
import { chooseSigningKey } from "#server/services/callbacks/callback-target.ts";
import { readPoolFigures } from "#server/services/ledger/read-books.ts";
import { browseMembers } from "#server/services/members/read-members.ts";
import { addPartner } from "#testing/factories.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { exportTopups } from "./order-stories.ts";
import { browseTopups, browseWithdrawals } from "./read-orders.ts";
import { drawUpTopup } from "./request-topup.ts";

let bench: FiatBench;
let ids: string[];
beforeAll(async () => {
  bench = await openFiatBench();
  ids = [];
  for (let count = 0; count < 5; count += 1) ids.unshift((await bench.topUp()).id);
});
afterAll(() => bench.close());

const walk = (more: Partial<Walk> = {}): Walk => ({ limit: 2, position: null, direction: "older", ...more });
const idsOf = (items: readonly { topup: { id: string } }[]) => items.map(({ topup }) => topup.id);

describe("orders as people walk them", () => {
  it("come newest first, each exactly once, to the end and back", async () => {
    const { partnerId } = bench.partner;
    const seen: string[] = [];
    let position: Walk["position"] = null;
    for (let pages = 0; pages < 3; pages += 1) {
      const page = await browseTopups(bench.ctx, { filter: { partnerId }, ...walk({ position }) });
      seen.push(...idsOf(page.items));
      position = page.older;
    }
    expect([seen, position]).toEqual([ids, null]);
    const last = await browseTopups(bench.ctx, { filter: { partnerId }, ...walk({ limit: 4 }) });
    const back = await browseTopups(bench.ctx, { filter: {}, ...walk({ position: last.older, direction: "newer" }) });
    expect(idsOf(back.items)).toEqual(ids.slice(1, 3));
  });

  it("are found by id and by the start of the partner's reference, and only by that partner", async () => {
    const [topup] = (await browseTopups(bench.ctx, { filter: { search: ids[2] ?? "" }, ...walk() })).items;
    expect(topup?.topup.id).toBe(ids[2]);
    const reference = topup?.topup.externalId ?? "";
    const found = await browseTopups(bench.ctx, { filter: { search: reference.slice(0, -1) }, ...walk({ limit: 10 }) });
    expect(idsOf(found.items)).toContain(ids[2]);
    const other = await addPartner(bench.db);
    const foreign = { partnerId: other.partnerId, search: ids[2] ?? "" };
    expect((await browseTopups(bench.ctx, { filter: foreign, ...walk() })).items).toEqual([]);
    expect((await browseWithdrawals(bench.ctx, { filter: { search: ids[2] ?? "" }, ...walk() })).items).toEqual([]);
  });

  it("are exported whole, and the audit log says so", async () => {
    const rows = [];
    for await (const batch of await exportTopups(bench.ctx, { by: SYSTEM, filter: {}, asked: {} })) rows.push(...batch);
    expect(idsOf(rows)).toEqual(ids);
  });
});

describe("what is shown of members and pools", () => {
  it("counts what is still to be collected as pending, and ends the thirty days at what the ledger says now", async () => {
    const pool = (await readPoolFigures(bench.ctx)).find(({ currency }) => currency === "KES");
    const [first] = (await browseTopups(bench.ctx, { filter: {}, ...walk() })).items;
    expect(pool?.pendingInMinor).toBe(5n * (first?.topup.amountMinor ?? 0n));
    expect(pool?.days).toHaveLength(30);
    expect(pool?.days.at(-1)?.totalMinor).toBe(pool?.totalMinor);
    expect(pool?.days[0]?.totalMinor).toBe(0n);
  });

  it("shows a partner's users the same pools as the operator's, also once the ledger has a snapshot", async () => {
    await bench.sql`
      insert into ledger_snapshots (before_id, account, partner_id, currency, chain, decimals, amount)
      select 'le_zzzzzzzzzzzzzzzzzzzzzzzzzz', account, partner_id, currency, chain, decimals, sum(amount) from ledger_postings
      where phase = 'posted' group by 2, 3, 4, 5, 6`;
    const partnersPeople = { ...bench.ctx, db: scopedTo(bench.db, { of: "partner", id: bench.partner.partnerId }) };
    const [all, own] = (await Promise.all([bench.ctx, partnersPeople].map((ctx) => readPoolFigures(ctx)))).map((pools) =>
      pools.map(({ currency, totalMinor, reservedMinor }) => ({ currency, totalMinor, reservedMinor })),
    );
    expect(own).toEqual(all);
    expect(own?.find(({ currency }) => currency === "KES")?.totalMinor).toBeGreaterThan(0n);
  });

  it("lists a partner's members alone, and counts only what is done into their volume", async () => {
    const [member] = (await browseMembers(bench.ctx, { filter: { partnerId: bench.partner.partnerId }, ...walk() })).items;
    expect(member?.volume).toEqual([]);
    const other = await addPartner(bench.db);
    expect((await browseMembers(bench.ctx, { filter: { partnerId: other.partnerId }, ...walk() })).items).toEqual([]);
  });
});

describe("what a person asks for", () => {
  it("is signed for by the partner's newest key, and by none where it is suspended", async () => {
    const ctx = { ...bench.ctx, clock: { now: () => new Date() } };
    expect(await chooseSigningKey(ctx, bench.partner.partnerId)).toBe(bench.partner.apiKeyId);
    const suspended = await addPartner(bench.db, { status: "suspended" });
    await expect(chooseSigningKey(ctx, suspended.partnerId)).rejects.toMatchObject({ code: "partner_suspended" });
  });

  it("is signed for by a rotated key whose overlap has not ended, where its successor was revoked", async () => {
    const ctx = { ...bench.ctx, clock: { now: () => new Date() } };
    const { partnerId, apiKeyId } = await addPartner(bench.db);
    const endsAt = (at: Date) => bench.db.update(apiKeys).set({ revokedAt: at }).where(eq(apiKeys.id, apiKeyId));
    const [id, past] = [randomUUID(), new Date(Date.now() - 1)];
    const successor = { id, partnerId, keyHash: id, name: "Successor", lastFour: "0000", sealedSecret: "", scopes: [], allowedIps: [] };
    await bench.db.insert(apiKeys).values({ ...successor, createdAt: new Date(), revokedAt: past, rotatedFrom: apiKeyId });
    await endsAt(new Date(Date.now() + 600_000));
    expect(await chooseSigningKey(ctx, partnerId)).toBe(apiKeyId);
    await endsAt(past);
    expect(await chooseSigningKey(ctx, partnerId)).toBe(id);
  });

  it("is drawn up without being stored", async () => {
    const { isRepeat, topup } = await drawUpTopup(bench.ctx, bench.topupOf());
    expect(isRepeat).toBe(false);
    expect((await browseTopups(bench.ctx, { filter: { search: topup.id }, ...walk() })).items).toEqual([]);
  });
});
