import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { doneSteps, stepsOf } from "#domain/incident.ts";
import { RUNBOOKS } from "#domain/runbook.ts";
import type { Context } from "#server/context.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPerson, refusalOf } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { addToIncident, listIncidents, openIncident, readIncident } from "./incidents.ts";
import { readOpenNotes, readStatus, recordStatus } from "./service-status.ts";

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
});
afterAll(() => database.close());

const trouble = (name: string) => ({ name, part: "worker", detail: "", runbook: "worker-down", since: new Date("2026-11-01T10:00:00Z") });

describe("an incident", () => {
  it("is one for a trouble, however many people open it at once, and who opened it is on it", async () => {
    const people = await Promise.all([
      addPerson(database.db, "admin"),
      addPerson(database.db, "approver"),
      addPerson(database.db, "approver"),
    ]);
    const ids = await Promise.all(people.map(({ by }) => openIncident(ctx, { by, trouble: trouble("no worker") })));
    expect(new Set(ids).size).toBe(1);
    const { entries, owner, stopped } = await readIncident(ctx, ids[0] ?? "");
    expect(entries.map(({ kind }) => kind)).toEqual(["opened"]);
    expect(people.map(({ id }) => id)).toContain(owner?.id);
    expect(stopped).toEqual([]);
    expect(await database.sql`select 1 from audit_entries where action = 'incident.opened'`).toHaveLength(1);
  });

  it("keeps who did what, in order, and nothing more once it has ended", async () => {
    const [ana, ben] = [await addPerson(database.db, "admin"), await addPerson(database.db, "approver")];
    const id = await openIncident(ctx, { by: ana.by, trouble: trouble("another") });
    const add = (by: typeof ana.by, addition: Parameters<typeof addToIncident>[1]["addition"]) => addToIncident(ctx, { by, id, addition });
    await add(ben.by, { kind: "taken" });
    await add(ben.by, { kind: "step_done", step: 0, text: "Look" });
    await add(ana.by, { kind: "step_done", step: 1, text: "Restart" });
    await add(ana.by, { kind: "step_undone", step: 0, text: "Look" });
    await add(ana.by, { kind: "noted", text: "The disk was full." });
    await add(ben.by, { kind: "ended" });
    const found = await readIncident(ctx, id);
    expect(found.owner?.id).toBe(ben.id);
    expect([...found.done.keys()]).toEqual([1]);
    expect(found.entries.map(({ kind }) => kind)).toEqual(["opened", "taken", "step_done", "step_done", "step_undone", "noted", "ended"]);
    expect(await refusalOf(add(ana.by, { kind: "noted", text: "late" }))).toBe("invalid_state");
    expect(await readIncident(ctx, id)).toEqual(found);
    // The same trouble again is another incident.
    expect(await openIncident(ctx, { by: ana.by, trouble: trouble("another") })).not.toBe(id);
    expect((await listIncidents(ctx)).map(({ endedAt }) => endedAt !== null)).toEqual([false, false, true]);
  });

  it("has notes that partners and the public read, under the name of who wrote them", async () => {
    const ana = await addPerson(database.db, "approver");
    const id = await openIncident(ctx, { by: ana.by, trouble: trouble("with a note") });
    const publish = (text: string, disruptionId: string) =>
      addToIncident(ctx, { by: ana.by, id, addition: { kind: "published", text, disruptionId } });
    expect((await readIncident(ctx, id)).disruptions).toEqual([]);
    const began = new Date(Date.now() - 60_000);
    const disruptions = [{ cause: "processing" as const, chain: null, impairs: { callbacks: "down" as const } }];
    await recordStatus(ctx, [{ from: began, until: new Date(), disruptions }]);
    const [{ id: disruptionId } = { id: "" }] = (await readIncident(ctx, id)).disruptions;
    await publish("We restart the workers.", disruptionId);
    expect(await refusalOf(publish("x".repeat(501), disruptionId))).toBe("invalid_state");
    expect(await refusalOf(publish("Lost", "si_none"))).toBe("not_found");
    expect((await readIncident(ctx, id)).entries.map(({ kind, text }) => [kind, text])).toEqual([
      ["opened", null],
      ["published", "We restart the workers."],
    ]);
    expect((await readStatus(ctx)).incidents.map(({ notes }) => notes.map(({ text }) => text))).toEqual([["We restart the workers."]]);
    expect(await readOpenNotes(ctx)).toMatchObject([{ incidentId: disruptionId, text: "We restart the workers." }]);
    const audited = await database.sql`select actor_id, object_id from audit_entries where action = 'status.noted'`;
    expect(audited).toEqual([{ actor_id: ana.id, object_id: disruptionId }]);
    // Over, and no partner reads it on its pages any more.
    await recordStatus(ctx, [{ from: new Date(Date.now() + 120_000), until: new Date(Date.now() + 125_000), disruptions: [] }]);
    expect(await readOpenNotes(ctx)).toEqual([]);
  });

  it("is no business of a viewer, and found by nobody where there is none", async () => {
    const viewer = await addPerson(database.db, "viewer");
    expect(await refusalOf(openIncident(ctx, { by: viewer.by, trouble: trouble("x") }))).toBe("forbidden");
    expect(await refusalOf(readIncident(ctx, "in_none"))).toBe("not_found");
  });
});

describe("the steps of a runbook", () => {
  it("are its items of the first level and its paragraphs that say what to do, as plain text", () => {
    const text =
      "# Title\n\n**What happens.** Nothing.\n\n**Look.** Read `x`\nand y.\n- It ends.\n  more\n\n1. Run `z`.\n   - not this\n2. Read [that](that.md), **at once**.";
    expect(stepsOf(text)).toEqual(["Look. Read x and y.", "It ends.", "Run z.", "Read that, at once."]);
  });

  it("are there in each runbook that a trouble names", () => {
    const named = [
      "worker-down",
      "rpc-dead",
      "database-away",
      "rates-stale",
      "halts",
      "screening",
      "treasury-empty",
      "payments-waiting",
      "replica",
      "web-down",
    ] as const;
    for (const name of named) {
      expect(RUNBOOKS).toContain(name);
      expect(stepsOf(readFileSync(`docs/runbooks/${name}.md`, "utf8")).length, name).toBeGreaterThan(1);
    }
  });

  it("are done until somebody takes one back", () => {
    const by = { byId: "1", byName: "Ana", at: new Date(0), text: null };
    const entry = (kind: "step_done" | "step_undone", step: number) => ({ ...by, kind, step });
    expect([...doneSteps([entry("step_done", 0), entry("step_done", 1), entry("step_undone", 0)]).keys()]).toEqual([1]);
  });
});
