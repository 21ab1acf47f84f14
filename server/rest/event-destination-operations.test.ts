import { describe, expect, it } from "vitest";
import { createCallbackSender } from "#server/adapters/callbacks/send.ts";
import { signedCalls } from "#testing/batches.ts";
import { testVault } from "#testing/callbacks.ts";
import { DESTINATIONS, setDestinationStage } from "#testing/destination-stage.ts";
import { issueKey, testContext, testSurfaceContext } from "#testing/surface.ts";

/** Contract, part 12: event destinations as a partner's program calls them. */

const stage = setDestinationStage();
const HOOK = "https://partner.example/hook";
const ASKED = { type: "webhook", url: HOOK, types: ["settlement.*"] };
const NOWHERE = `${DESTINATIONS}/de_00000000000000000000000000`;

describe("a destination", () => {
  it("shows its secret once, and is listed, changed and deleted; the audit log has each step", async () => {
    const { call } = await stage.addPartner();
    const made = await call("POST", DESTINATIONS, { ...ASKED, description: "ours" });
    const { secret, ...shown } = made.body;
    expect([made.status, secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    expect(made.headers.Location).toBe(`${DESTINATIONS}/${shown.id}`);
    expect(shown).toMatchObject({ ...ASKED, description: "ours", status: "active", failing_since: null, last_test: null });
    expect((await call("GET", `${DESTINATIONS}/${shown.id}`)).body).toEqual(shown);
    expect((await call("GET", DESTINATIONS)).body).toEqual({ data: [shown] });
    const paused = await call("PATCH", `${DESTINATIONS}/${shown.id}`, { status: "paused", types: ["topup.failed"] });
    expect(paused.body).toEqual({ ...shown, status: "paused", types: ["topup.failed"], paused_at: expect.any(String) });
    const active = await call("PATCH", `${DESTINATIONS}/${shown.id}`, { status: "active" });
    expect(active.body).toEqual({ ...shown, types: ["topup.failed"] });
    const removed = await call("DELETE", `${DESTINATIONS}/${shown.id}`);
    expect([removed.status, (await call("GET", DESTINATIONS)).body.data]).toEqual([204, []]);
    const entries = await stage.database.sql`select action, change from audit_entries where object_id = ${shown.id as string} order by id`;
    expect(entries.map(({ action }) => action)).toEqual(["created", "changed", "changed", "deleted"].map((done) => `destination.${done}`));
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it("is one of ten at most, however many are asked for at once", async () => {
    const { call } = await stage.addPartner();
    const answers = await Promise.all(Array.from({ length: 14 }, () => call("POST", DESTINATIONS, ASKED)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(new Set(["conflict"]));
    expect((await call("GET", DESTINATIONS)).body.data).toHaveLength(10);
  });

  it("is its partner's alone", async () => {
    const owner = await stage.addPartner();
    const stranger = await stage.addPartner();
    const { id } = await stage.create(owner, HOOK);
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { status: "paused" }],
      ["DELETE", "", undefined],
      ["POST", "/test", {}],
      ["POST", "/replay", { from: "2026-11-01T00:00:00Z" }],
    ] as const) {
      const refusals = [stranger.call(method, `${DESTINATIONS}/${id}${path}`, body), owner.call(method, `${NOWHERE}${path}`, body)];
      for (const { status, body: refused } of await Promise.all(refusals))
        expect([status, refused.code]).toEqual([404, "destination_not_found"]);
    }
    expect((await stranger.call("GET", DESTINATIONS)).body.data).toEqual([]);
    expect(await stage.rowOf(owner, id)).toMatchObject({ status: "active", test: null });
  });

  it("gets what the key that made it may see", async () => {
    const partner = await stage.addPartner({ scopes: ["partner:write", "settlements:read"] });
    const hook = await stage.receiver();
    const { id } = await stage.create(partner, hook.origin, { types: ["withdrawal.*", "settlement.*"] });
    stage.work();
    await stage.happen(partner, "a");
    const blind = await stage.addPartner({ scopes: ["partner:write"] });
    expect((await blind.call("POST", DESTINATIONS, ASKED)).body.code).toBe("scope_missing");
    expect((await stage.rowOf(partner, id)).audiences).toEqual(["settlements"]);
    expect(hook.requests).toEqual([]);
  });

  it.each([
    [{ ...ASKED, types: ["settlement.paid"] }, "/types/0"],
    [{ ...ASKED, types: ["*"] }, "/types/0"],
    [{ ...ASKED, types: [] }, "/types"],
    [{ ...ASKED, type: "kafka" }, "/type"],
    [{ ...ASKED, secret: "x" }, "/secret"],
    [{ ...ASKED, description: "x".repeat(257) }, "/description"],
    [{ url: HOOK, types: ["settlement.*"] }, "/type"],
  ])("is refused %j", async (body, pointer) => {
    const { call } = await stage.addPartner();
    const { status, body: refused } = await call("POST", DESTINATIONS, body);
    expect([status, refused.code, (refused.errors as { pointer: string }[])[0]?.pointer]).toEqual([422, "validation_failed", pointer]);
  });

  it.each([
    ["http://partner.example/", "validation_failed"],
    ["https://user:word@partner.example/", "validation_failed"],
    ["https://169.254.169.254/latest", "callback_url_not_allowed"],
    ["https://localhost/", "callback_url_not_allowed"],
    ["https://[::ffff:10.0.0.1]/", "callback_url_not_allowed"],
    ["https://inside.partner.example/", "callback_url_not_allowed"],
  ])("does not go to %s", async (url, code) => {
    const resolve = async (host: string) => [host.startsWith("inside") ? "10.1.2.3" : "93.184.215.14"];
    const callbacks = createCallbackSender({ allowHttp: false, exemptHosts: [], resolve });
    const ctx = { ...testContext(stage.database.db), vault: testVault, callbacks };
    const call = signedCalls(testSurfaceContext(ctx), await issueKey(ctx));
    const { status, body } = await call("POST", DESTINATIONS, { ...ASKED, url });
    expect([status, body.code, (body.errors as { pointer: string }[])[0]?.pointer]).toEqual([422, code, "/url"]);
  });

  it("is not sent again from an invalid moment", async () => {
    const partner = await stage.addPartner();
    const { id } = await stage.create(partner, HOOK);
    const { status, body } = await partner.call("POST", `${DESTINATIONS}/${id}/replay`, { from: "yesterday" });
    expect([status, body.code]).toEqual([422, "validation_failed"]);
  });
});
