import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { Refusal, type RefusalCode } from "#domain/refusal.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, readAnswer, signedRequest, testContext, testDoor } from "#testing/surface.ts";
import { type Binding, sharing } from "./bind.ts";
import { DATABASE_LIMIT_MS, type Door } from "./door.ts";
import { ECHO } from "./echo.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";

let database: TestDatabase;
let pool: OpenDatabase;
let door: Door;
let other: Door;
let key: IssuedApiKey;
const commits: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const owner = postgres(database.url, { max: 1 });
  await owner`create table added (word text primary key check (word <> 'impossible'))`;
  await owner`grant all on added to public`;
  await owner.end();
  const onStatement = (text: string) => void (text === "commit" && commits.push(text));
  pool = openDatabase({ url: database.url, applicationName: "shared", maxConnections: 8, role: database.role, onStatement });
  const ctx = testContext(pool.db);
  door = testDoor(ctx, {}, DATABASE_LIMIT_MS);
  other = testDoor({ ...ctx, db: database.db }, {}, DATABASE_LIMIT_MS);
  key = await issueKey(door.ctx);
});
afterAll(async () => {
  await pool.close();
  await database.close();
});

const REFUSALS: Readonly<Record<string, RefusalCode>> = { refused: "conflict", later: "rate_unavailable" };

/** Adds the word of its body, at its end. Some words say what is to come of them. */
const add: Binding = sharing("add", {
  ...ECHO,
  operation: { ...ECHO.operation, kind: "write" },
  prepare: (caller, input) => async (before) => {
    const run = await ECHO.prepare(caller, input)(before);
    const [word = ""] = JSON.parse(Buffer.from(input.bytes).toString());
    return async (ctx) => {
      await ctx.db.execute(sql`select 1`);
      if (word.startsWith("slow")) await ctx.db.execute(sql`select pg_sleep(2)`);
      const refusal = REFUSALS[word];
      if (refusal !== undefined) throw new Refusal(refusal);
      await ctx.db.execute(sql`insert into added (word) values (${word})`);
      return await run(ctx);
    };
  },
});

async function send(word: string, { nonce = randomUUID(), at = door, by = key }: { nonce?: string; at?: Door; by?: IssuedApiKey } = {}) {
  const request = signedRequest(by, { method: "POST", target: "/api/v1/echo", nonce, body: JSON.stringify([word]) });
  const { status, body } = readAnswer(await handle(settlementSurface, at, [add], request));
  return { status, code: body.code ?? null, nonce };
}
const words = async () => new Set((await database.sql`select word from added`).map(({ word }) => String(word)));
const some = (count: number) => Array.from({ length: count }, () => randomUUID());

describe("requests that only add, of one key at the same time", () => {
  it("share transactions, and each has its own effect once and its own nonce", async () => {
    const added = some(100);
    commits.length = 0;
    const answers = await Promise.all(added.map((word) => send(word)));
    expect(answers.map(({ status }) => status)).toEqual(added.map(() => 200));
    expect(await words()).toEqual(new Set(added));
    // One would be one each. The first two have no company yet.
    expect(commits.length).toBeLessThan(20);
    for (const { nonce } of answers.slice(0, 10))
      expect(await send("again", { nonce })).toMatchObject({ status: 401, code: "nonce_reused" });
  });

  it("are refused one by one: a rule burns the nonce, what may come again does not, and the others are not touched", async () => {
    const added = some(20);
    const sent = [...added.slice(0, 10), "refused", "later", ...added.slice(10), "refused"];
    const answers = await Promise.all(sent.map((word) => send(word)));
    expect(answers.map(({ status }) => status)).toEqual(sent.map((word) => ({ refused: 409, later: 503 })[word] ?? 200));
    for (const word of added) expect(await words()).toContain(word);
    const [refused, later] = [answers[10]?.nonce, answers[11]?.nonce];
    expect(await send("x", { nonce: refused ?? "" })).toMatchObject({ code: "nonce_reused" });
    const afterwards = randomUUID();
    expect(await send(afterwards, { nonce: later ?? "" })).toMatchObject({ status: 200 });
    expect(await send(afterwards, { nonce: later ?? "" })).toMatchObject({ code: "nonce_reused" });
  });

  it("do not fall with the one whose data the database refuses, nor with one that does what was done", async () => {
    const added = some(12);
    const sent = [...added, "impossible", added[0] ?? ""];
    const answers = await Promise.all(sent.map((word) => send(word)));
    expect(answers.slice(1, 12).map(({ status }) => status)).toEqual(added.slice(1).map(() => 200));
    expect(answers[12]).toMatchObject({ status: 500 });
    expect([answers[0]?.status, answers[13]?.status].sort()).toEqual([200, 500]);
    for (const word of added) expect(await words()).toContain(word);
    // Trouble of ours has not burnt its nonce.
    expect(await send(randomUUID(), { nonce: answers[12]?.nonce ?? "" })).toMatchObject({ status: 200 });
  });

  it("leave nothing of the one that was too late, which may be sent again; the others are done again without it", async () => {
    const added = some(6);
    const sent = ["slow one", ...added];
    const answers = await Promise.all(sent.map((word) => send(word)));
    expect(answers[0]).toMatchObject({ status: 503 });
    await sleep(2_500);
    expect(await words()).not.toContain("slow one");
    // Who stood behind it for all of its own time is told to come again too, and has done nothing either.
    for (const [index, word] of added.entries()) expect((await words()).has(word)).toBe(answers[index + 1]?.status === 200);
    for (const [index, { nonce }] of answers.entries())
      if (answers[index]?.status === 503) expect(await send(randomUUID(), { nonce })).toMatchObject({ status: 200 });
  });

  it("of copies, through two processes, let exactly one in", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [nonce, word, company] = [randomUUID(), randomUUID(), some(10)];
      const copies = Array.from({ length: 30 }, (_each, index) => send(word, { nonce, at: index % 2 === 0 ? door : other }));
      const answers = await Promise.all([...copies, ...company.map((each) => send(each))]);
      expect(answers.slice(30).map(({ status }) => status)).toEqual(company.map(() => 200));
      expect(answers.slice(0, 30).filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.slice(0, 30).filter(({ code }) => code === "nonce_reused")).toHaveLength(29);
    }
  });

  it("are all refused once the key has ended, and share nothing with another key", async () => {
    const ended = await issueKey(door.ctx);
    expect(await send(randomUUID(), { by: ended })).toMatchObject({ status: 200 });
    await revokeApiKey(other.ctx, { by: { actor: { type: "system" }, requestId: null }, id: ended.id });
    const answers = await Promise.all([...some(10).map((word) => send(word, { by: ended })), ...some(10).map((word) => send(word))]);
    expect(answers.slice(0, 10).map(({ code }) => code)).toEqual(Array(10).fill("revoked_api_key"));
    expect(answers.slice(10).map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  it("are told to come again where the database is what is the matter, and have burnt nothing", async () => {
    const asked = Promise.all(["slow two", ...some(19)].map((word) => send(word)));
    await sleep(500);
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shared' and query like '%pg_sleep%'`;
    const answers = await asked;
    const shed = answers.filter(({ status }) => status === 503);
    expect(shed.length).toBeGreaterThan(0);
    for (const { nonce } of shed) expect(await send(randomUUID(), { nonce })).toMatchObject({ status: 200 });
  });
});
