import { afterAll, beforeAll, expect, it } from "vitest";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { SYSTEM } from "#domain/access.ts";
import type { Context } from "#server/context.ts";
import { consoleParts, consoleRequest, sessionOf } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { addPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { handleTrpc } from "./handle.ts";

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
});
afterAll(() => database.close());

/** A user's page: the changes that its stream has sent so far. */
async function listen(partnerId: string | null, signal: AbortSignal): Promise<{ heard: () => string }> {
  const person = await addPerson(database.db, partnerId === null ? "admin" : "staff", partnerId);
  const request = consoleRequest(`/api/trpc/live.changes?input=${encodeURIComponent("{}")}`, { signal });
  const { body } = await handleTrpc(consoleParts(ctx), request, await sessionOf(ctx, person));
  if (body === null) throw new Error("the stream has no body");
  let text = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const read = async (): Promise<void> => {
    const { done, value } = await reader.read();
    text += value ?? "";
    if (!done) await read();
  };
  read().catch(() => {});
  await expect.poll(() => text, { timeout: AT_ONCE_MS }).toContain('"now"');
  return { heard: () => text };
}

it("sends every partner's changes to the operator, and each partner its own, no matter who listened first", async () => {
  const [ours, theirs] = [await addPartner(database.db), await addPartner(database.db)];
  const over = new AbortController();
  const partner = await listen(ours.partnerId, over.signal);
  const operator = await listen(null, over.signal);
  const other = await listen(theirs.partnerId, over.signal);
  const change = { by: SYSTEM, action: "settlement.approval_requested", change: {} };
  await insertAuditEntry(database.db, { ...change, partnerId: ours.partnerId, objectId: "tx_of_ours" });
  await insertAuditEntry(database.db, { ...change, partnerId: theirs.partnerId, objectId: "tx_of_theirs" });
  await expect.poll(operator.heard, { timeout: AT_ONCE_MS }).toContain("tx_of_ours");
  await expect.poll(operator.heard, { timeout: AT_ONCE_MS }).toContain("tx_of_theirs");
  await expect.poll(other.heard, { timeout: AT_ONCE_MS }).toContain("tx_of_theirs");
  await expect.poll(partner.heard, { timeout: AT_ONCE_MS }).toContain("tx_of_ours");
  expect(partner.heard()).not.toContain("tx_of_theirs");
  expect(other.heard()).not.toContain("tx_of_ours");
  over.abort();
});
