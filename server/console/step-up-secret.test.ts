import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "#server/context.ts";
import { type CookieReader, consoleParts, consoleRequest, readerOf, sessionOf } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { addPerson, PASSWORD } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { handleTrpc } from "./handle.ts";

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.web);
});
afterAll(() => database.close());

async function call(procedure: string, cookie: CookieReader, input?: object): Promise<Response> {
  const sent = input === undefined ? {} : { method: "POST", body: JSON.stringify(input), headers: { "content-type": "application/json" } };
  return await handleTrpc(consoleParts(ctx), consoleRequest(`/api/trpc/${procedure}`, sent), cookie);
}
const prove = (cookie: CookieReader, proof = PASSWORD) => call("session.stepUp", cookie, { proof });
const sessionIdOf = async (cookie: CookieReader) => (await (await call("session.me", cookie)).json()).result?.data.session_id ?? null;

describe("a step-up gives the session a new secret", () => {
  it.each([
    ["the operator's person", false],
    ["a partner's person", true],
  ])("of %s: the old one is refused at once, and other sessions stay", async (_whose, isPartner) => {
    const partnerId = isPartner ? (await addPartner(database.db)).partnerId : null;
    const person = await addPerson(database.db, isPartner ? "owner" : "admin", partnerId);
    const [before, elsewhere] = [await sessionOf(ctx, person), await sessionOf(ctx, person)];
    const [id, other] = [await sessionIdOf(before), await sessionIdOf(elsewhere)];
    const answer = await prove(before);
    expect(answer.status).toBe(200);
    const [line = "", ...more] = answer.headers.getSetCookie();
    expect(more).toEqual([]);
    expect(line).toMatch(/^[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=(43200|43199|4319\d)$/);
    expect((await call("session.me", before)).status).toBe(401);
    expect(await sessionIdOf(readerOf(line))).toBe(id);
    expect(await sessionIdOf(elsewhere)).toBe(other);
    // And again, with the new one.
    const [again = ""] = (await prove(readerOf(line))).headers.getSetCookie();
    expect([await sessionIdOf(readerOf(line)), await sessionIdOf(readerOf(again))]).toEqual([null, id]);
  });

  it("keeps it where the proof was wrong", async () => {
    const cookie = await sessionOf(ctx, await addPerson(database.db, "admin"));
    const answer = await prove(cookie, "something else");
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    expect(await sessionIdOf(cookie)).not.toBeNull();
  });

  it("of several at the same moment gives one, so that the browser keeps what counts", async () => {
    const cookie = await sessionOf(ctx, await addPerson(database.db, "admin"));
    const id = await sessionIdOf(cookie);
    const answers = await Promise.all(Array.from({ length: 5 }, () => prove(cookie)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    const lines = answers.flatMap(({ headers }) => headers.getSetCookie());
    expect(lines).toHaveLength(1);
    expect(await sessionIdOf(readerOf(lines[0] ?? ""))).toBe(id);
  });

  it("ends a live stream of the old one, which connects again with the new one alone", async () => {
    const before = await sessionOf(ctx, await addPerson(database.db, "admin"));
    const stream = (cookie: CookieReader) => call(`live.changes?input=${encodeURIComponent("{}")}`, cookie);
    const { body } = await stream(before);
    let text = "";
    const over = (async () => {
      for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
    })();
    await expect.poll(() => text, { timeout: AT_ONCE_MS }).toContain('"now"');
    const [line = ""] = (await prove(before)).headers.getSetCookie();
    await over;
    // An error after which a page connects again by itself.
    expect(text).toContain("The session has a new secret");
    const refused = await (await stream(before)).text();
    expect([refused.includes("invalid_token"), refused.includes('"now"')]).toEqual([true, false]);
    let again = "";
    for await (const part of (await stream(readerOf(line))).body?.pipeThrough(new TextDecoderStream()) ?? []) {
      again += part;
      if (again.includes('"now"')) break;
    }
    expect(again).not.toContain("invalid_token");
  });
});
