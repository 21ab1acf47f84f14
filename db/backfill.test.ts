import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import postgres from "postgres";
import { expect, test } from "vitest";
import { createTestDatabase } from "#testing/database.ts";
import { addOperatorKey, addPerson } from "#testing/people.ts";

const MIGRATIONS = new URL("./migrations/", import.meta.url);

test("keys that were there before the two-person rule count as who made them, by whatever line of keys, and keep their rights", async () => {
  const database = await createTestDatabase();
  const owner = postgres(database.url, { max: 1, onnotice: () => {} });
  try {
    const ana = await addPerson(database.db, "admin");
    const key = async (scopes: string[]) => {
      const { actor } = await addOperatorKey(database.db, null, { scopes });
      return actor.type === "operator_key" ? actor.apiKeyId : "";
    };
    const [hers, made, rotated, machines] = [
      await key(["partner:write"]),
      await key(["settlements:write"]),
      await key(["partner:read"]),
      await key([]),
    ];
    const note = (action: string, id: string, by: [string, string | null], change: object = {}) =>
      owner`insert into audit_entries (id, at, actor_type, actor_id, action, object_id, change)
        values (${randomUUID()}, now(), ${by[0]}, ${by[1]}, ${action}, ${id}, ${owner.json({ ...change })})`;
    await note("api_key.created", machines, ["system", null]);
    await note("api_key.created", hers, ["user", ana.id]);
    await note("api_key.created", made, ["operator_key", hers]);
    await note("api_key.created", rotated, ["operator_key", made]);
    await note("api_key.rotated", made, ["operator_key", made], { replaced_by: rotated });

    const file = readdirSync(MIGRATIONS).find((name) => name.endsWith("_guards_rules.sql")) ?? "";
    const statements = readFileSync(new URL(file, MIGRATIONS), "utf8").split("--> statement-breakpoint");
    await owner`drop trigger descent_is_settled on api_keys`;
    for (const statement of statements.filter((text) => /^\s*(?:--.*\n)*(?:with|update)/.test(text.trim()))) await owner.unsafe(statement);

    const rows = await owner`select id, made_by, rotated_from, scopes from api_keys`;
    expect(new Map(rows.map(({ id, ...row }) => [id, row]))).toEqual(
      new Map([
        [hers, { made_by: ana.id, rotated_from: null, scopes: ["partner:write", "partners:admin", "treasury", "read"] }],
        [made, { made_by: ana.id, rotated_from: null, scopes: ["settlements:write", "settlements:decide", "read"] }],
        [rotated, { made_by: ana.id, rotated_from: made, scopes: ["partner:read", "read"] }],
        [machines, { made_by: null, rotated_from: null, scopes: ["read"] }],
      ]),
    );
  } finally {
    await owner.end({ timeout: 1 });
    await database.close();
  }
}, 60_000);
