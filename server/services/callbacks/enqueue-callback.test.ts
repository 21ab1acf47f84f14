import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callbacks } from "#db/schema/callbacks.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import { isId } from "#domain/ids.ts";
import { addSigningPartner, enqueueTestCallback, localSender, type SigningPartner } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { checkCallbackUrl } from "./callback-target.ts";
import { enqueueCallback } from "./enqueue-callback.ts";

let database: TestDatabase;
let partner: SigningPartner;
beforeAll(async () => {
  database = await createTestDatabase();
  partner = await addSigningPartner(database.db);
});
afterAll(() => database.close());

describe("owing a callback", () => {
  it("is due at once, in the queue of partner and origin", async () => {
    const now = new Date("2027-01-01T00:00:00.123Z");
    const { id, subjectId } = await enqueueTestCallback(database.db, partner, "https://Example.com:443/a?b#", { now });
    expect(isId("callback", id)).toBe(true);
    const [row] = await database.db.select().from(callbacks);
    expect(row).toMatchObject({ id, subjectId, state: "pending", series: 1, nextNumber: 1, dueAt: now, createdAt: now, leaseToken: null });
    expect(row?.queue).toBe(`${partner.partnerId} https://example.com`);
  });

  it("wakes the workers when the change commits, and not when it is rolled back", async () => {
    const heard: string[] = [];
    const { unlisten } = await database.sql.listen("due_work", (payload) => heard.push(payload));
    const callback = {
      partnerId: partner.partnerId,
      apiKeyId: partner.apiKeyId,
      subjectId: "tx_undone",
      event: "settlement.failed",
      url: "https://example.com/",
      body: "{}",
      now: new Date(),
    } as const;
    const undone = database.db.transaction(async (tx) => {
      await enqueueCallback(tx, callback);
      throw new Error("the change fails");
    });
    await expect(undone).rejects.toThrow("the change fails");
    expect(await database.db.$count(callbacks)).toBe(1);
    await database.db.transaction((tx) => enqueueCallback(tx, callback));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard).toEqual(["callbacks"]);
    await unlisten();
  });

  it("happens once for a subject and event", async () => {
    const { subjectId } = await enqueueTestCallback(database.db, partner, "https://example.com/");
    await enqueueTestCallback(database.db, partner, "https://example.com/", { subjectId, event: "settlement.approved" });
    const again = enqueueTestCallback(database.db, partner, "https://example.com/", { subjectId });
    await expect(again.catch((error) => Promise.reject(isUniqueViolation(error, "callbacks_once_per_event")))).rejects.toBe(true);
  });
});

describe("a callback URL that a partner gives", () => {
  const check = (url: string) => checkCallbackUrl({ callbacks: localSender }, url, "/callback_url");

  it("is accepted, or refused by its form with a pointer, or by its host", async () => {
    await expect(check("http://localhost:4000/hook")).resolves.toBeUndefined();
    await expect(check("localhost:4000/hook")).rejects.toMatchObject({
      code: "validation_failed",
      particulars: { errors: [{ pointer: "/callback_url", code: "invalid_url", message: expect.any(String) }] },
    });
    await expect(check("https://169.254.169.254/")).rejects.toMatchObject({ code: "callback_url_not_allowed" });
  });
});
