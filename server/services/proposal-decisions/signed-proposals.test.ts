import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { insertSession } from "#db/queries/people/sessions.ts";
import type { By } from "#domain/access.ts";
import { isRefusal } from "#domain/refusal.ts";
import { ALL_SIGNED } from "#domain/signed-approval.ts";
import type { Context } from "#server/context.ts";
import { setPolicy } from "#server/services/approval-policy/set-policy.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { askSignature, readSignature } from "#server/services/people/second-factor/passkey-proof.ts";
import { addPasskey, beginPasskey } from "#server/services/people/second-factor/passkeys.ts";
import { readDecisionSignature } from "#server/services/people/sessions/authenticate-person.ts";
import { Authenticator } from "#testing/authenticator.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addProvenPerson, refusalOf, type TestPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { confirmProposal } from "./decide-proposal.ts";

/** Where decisions are signed, a passkey signs the whole proposal that its person confirms. */

const ORIGIN = "http://localhost:3000";
let database: TestDatabase;
let live: Context;
let [ana, ben]: TestPerson[] = [];
const sessionId = randomUUID();
const device = new Authenticator(ORIGIN);
beforeAll(async () => {
  database = await createTestDatabase();
  live = {
    ...testContext(database.db),
    mode: "live",
    policy: { driftToleranceBps: 10, signedApprovals: ALL_SIGNED, decisionTargetMinutes: 60 },
  };
  [ana, ben] = [await addProvenPerson(database.db, "admin"), await addProvenPerson(database.db, "admin")];
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 3_600_000);
  await insertSession(database.db, {
    id: sessionId,
    sidHash: sessionId,
    userId: ben.id,
    createdAt: now,
    lastSeenAt: now,
    expiresAt,
    address: "::1",
  });
  const { ticket, options } = await beginPasskey(live, { by: ben.by, sessionId });
  await addPasskey(live, { by: ben.by, sessionId, ticket, name: "Laptop", answer: device.create(options) });
});
afterAll(() => database.close());

const people = () => {
  if (ana === undefined || ben === undefined) throw new Error("nobody is there");
  return { ana, ben };
};
const propose = async (reason: string) => {
  const { proposal } = await setPolicy(live, { by: people().ana.by, rules: [], expectedVersion: 0, reason });
  return proposal.id;
};
const confirm = (by: By, id: string) => confirmProposal(live, { by, id });
async function sign(id: string) {
  const refusal = await confirm(people().ben.by, id).catch((error: unknown) => error);
  const decision = isRefusal(refusal) ? refusal.particulars.decision : undefined;
  if (decision === undefined) throw new Error("nothing was asked to be signed", { cause: refusal });
  const who = { userId: people().ben.id, sessionId };
  const { ticket, options } = await askSignature(live, who, { decision, origin: ORIGIN });
  return { decision, signature: await readSignature(live, who, { ticket, answer: device.get(options) }) };
}

test("a proposal of the approval policy is confirmed by a signature of all of it, with a passkey that is a day old", async () => {
  const { ben: second } = people();
  const id = await propose("nobody needs it any more");
  const { decision, signature } = await sign(id);
  expect(decision).toMatchObject({ action: "proposal.confirm", subject: id });
  expect(decision.facts).toMatchObject({
    kind: "approval_policy",
    reason: "nobody needs it any more",
    body: { expected_version: 0, rules: [] },
  });
  const refused = await confirm({ ...second.by, signature }, id).catch((error: unknown) => error);
  expect(isRefusal(refused) && refused.particulars.detail).toMatch(/from a day after it was added/);
  await age(2);
  const other = await addProvenPerson(database.db, "admin");
  expect(await refusalOf(confirm({ ...other.by, signature }, id))).toBe("passkey_required");
  expect(await database.sql`select outcome from proposals where id = ${id}`).toEqual([{ outcome: "open" }]);
  expect((await confirm({ ...second.by, signature }, id)).proposal.outcome).toBe("carried_out");
  expect(await database.sql`select action, object_id from decision_signatures`).toEqual([{ action: "proposal.confirm", object_id: id }]);
  const { rules } = await auditDatabase(live);
  expect(rules.find(({ rule }) => rule === "decisions_are_signed")).toMatchObject({ checked: 1, violations: [] });
});

test("wrong signatures are in the audit log and used up like wrong codes, so that no stolen session tries for ever; a right one costs nothing", async () => {
  const { ben: second } = people();
  const ask = async () => {
    const decision = { action: "proposal.confirm", subject: "pr_1", facts: {} } as const;
    return await askSignature(live, { userId: second.id, sessionId }, { decision, origin: ORIGIN });
  };
  const other = new Authenticator(ORIGIN);
  other.create((await beginPasskey(live, { by: second.by, sessionId })).options);
  const give = async (from: Authenticator) => {
    const { ticket, options } = await ask();
    const answer = from.get(options);
    return await refusalOf(readDecisionSignature(live, { by: second.by, sessionId, address: "203.0.113.9", device: { ticket, answer } }));
  };
  expect(await give(device)).toBeNull();
  const ends = [];
  for (let tries = 0; tries < 7; tries += 1) ends.push(await give(other));
  expect(ends).toEqual([...Array.from({ length: 5 }, () => "passkey_required"), "rate_limited", "rate_limited"]);
  expect(await give(device)).toBe("rate_limited");
  const entries = await database.sql`select change from audit_entries where action = 'user.signature_refused' and object_id = ${second.id}`;
  expect(entries.map(({ change }) => change)).toEqual(ends.slice(0, 5).map(() => ({ wrong: "passkey", address: "203.0.113.9" })));
});

/** Time passes for the register, as only the database's owner could have it. */
async function age(days: number): Promise<void> {
  const owner = openDatabase({ url: database.url, applicationName: "owner", maxConnections: 1 });
  await owner.sql`alter table passkey_keys disable trigger user`;
  await owner.sql`update passkey_keys set registered_at = registered_at - ${`${days} days`}::interval`;
  await owner.sql`alter table passkey_keys enable trigger user`;
  await owner.close();
}
