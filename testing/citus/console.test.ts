import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isRefusal } from "#domain/refusal.ts";
import { RIGHTS } from "#server/console/rights-fixture.ts";
import { ROLES_OF } from "#server/console/rights-inputs-fixture.ts";
import { appRouter } from "#server/console/router.ts";
import { liveHub } from "#server/console/trpc/live-hub.ts";
import type { Context } from "#server/context.ts";
import { openApiLog } from "#server/services/access/log-api-requests.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { batchItem, batchOf, signedCalls } from "#testing/batches.ts";
import { eventually, giveSecrets, startDelivery, testVault } from "#testing/callbacks.ts";
import { TEST_CONSOLE_SETTINGS } from "#testing/console-web.ts";
import { addPerson, addProvenPerson, type TestPerson } from "#testing/people.ts";
import { issueKey, testContext, testSurfaceContext } from "#testing/surface.ts";
import { newAddress } from "#testing/transfers.ts";
import { consoleInputs } from "./console-inputs.ts";
import { type CitusStage, openCitusStage } from "./stage.ts";
import { watchStatements } from "./unrouted.ts";

/** Every question of the console on Citus: it is answered, and which ones go to more than one node, Citus itself says. */

type Reasons = Readonly<Record<string, readonly string[]>>;
/** Why Citus does not send a question of the operator's people as one partner's: by reason, the questions. */
const OF_EVERYBODY: Reasons = {
  "lists, counts and sums of everybody's settlements and batches": [
    ...["approvals.batches", "approvals.counts", "approvals.lapsed", "approvals.list", "batches.list"],
    ...["overview.figures", "overview.newest", "overview.now", "overview.series", "treasury.board", "work.queue"],
    ...["settlements.count", "settlements.exportSize", "settlements.list", "settlements.since", "settlements.tiles"],
  ],
  "what everybody's settlements of the last weeks say of a draft": [
    ...["approvalPolicy.try", "exposure.tryHalt", "exposure.tryLimit", "rates.preview", "rates.terms"],
  ],
  "whether the settlements of notifications still wait": ["notifications.list", "notifications.unread"],
  "everybody's callbacks": ["callbacks.counts", "callbacks.endpoints", "callbacks.groups", "callbacks.list", "callbacks.previewResend"],
  "an operator names no partner with an id": [
    ...["approvalPolicy.demand", "approvals.batchItems", "approvals.past", "approvals.preview", "approvals.risk", "batches.byIds"],
    ...["callbacks.byId", "settlements.byId", "settlements.neighbours", "settlements.networkCost", "settlements.paymentReceipt"],
    ...["settlements.rows", "settlements.search"],
  ],
};
/** The same of a partner's people. */
const OF_ITS_OWN: Reasons = {
  "a row with what belongs to it, whose partner Citus does not see within the statement": [
    ...["batches.list", "callbacks.groups", "callbacks.list", "overview.newest"],
    ...["settlements.count", "settlements.exportSize", "settlements.list", "settlements.neighbours"],
    ...["settlements.search", "settlements.since", "settlements.tiles"],
  ],
  "found by an id, and the partner is only in the policy": [
    ...["batches.byIds", "callbacks.byId", "callbacks.previewResend", "notifications.list", "notifications.unread"],
    ...["settlements.byId", "settlements.networkCost", "settlements.paymentReceipt", "settlements.rows"],
  ],
  "tables of the coordinator in the same statement": ["developers.goLive", "overview.now"],
};

/** What is about a request, an order, an incident, a member, an invitation, a job or a review, of which this stage has none. */
const ABOUT_NOTHING: readonly string[] = [
  ...["apiLog.byId", "apiLog.explain", "callbacks.job", "fiat.topup", "fiat.withdrawal", "incidents.byId", "members.byId"],
  ...["members.checkWallet", "members.safe", "people.invitation", "safes.byId", "session.signInByPasskey", "treasury.review"],
];

const ABOVE_MAXIMUM = 100_000_001n;

let on: CitusStage;
let ctx: Context;
let [admin, owner]: TestPerson[] = [];
let inputs: Record<string, unknown[]>;

beforeAll(async () => {
  on = await openCitusStage({ partners: 2 });
  const { stage, database, chain } = on;
  const [partner, other] = stage.partners;
  if (partner === undefined || other === undefined) throw new Error("two partners are needed");
  ctx = { ...testContext(database.db), chains: stage.powers.chains, vault: testVault };
  admin = await addProvenPerson(database.db, "admin");
  owner = await addPerson(database.db, "owner", partner.partnerId);
  for (const each of stage.partners) await giveSecrets(database.db, each);
  const key = await issueKey(ctx, { partnerId: partner.partnerId });
  const items = [batchItem({ chain: chain.chain }), batchItem({ chain: chain.chain })];
  const { body } = await signedCalls(testSurfaceContext(ctx), key)("POST", "/api/v1/settlement-batches", batchOf(items));
  const waiting = await stage.quote(partner, { amountMinor: ABOVE_MAXIMUM, wallet: newAddress() });
  await stage.quote(other, { amountMinor: ABOVE_MAXIMUM, wallet: newAddress() });
  const { id: executed } = await on.owe(partner);
  await on.owe(other);
  const delivery = startDelivery({ db: database.db, sql: database.sql });
  await on.workUntil(async () => (await database.sql`select from settlements where status = 'executed'`).length === 2);
  await eventually(async () => ((await database.sql`select from callbacks where state = 'delivered'`).length > 0 ? true : null));
  await delivery.stop();
  await on.owe(partner);
  await bringOutbox(database);
  const [callback] = await database.sql<{ id: string }[]>`select id from callbacks where partner_id = ${partner.partnerId}`;
  const known = { waiting: waiting.id, executed, batch: String(body.batch_id), callback: callback?.id ?? "" };
  inputs = consoleInputs({ ...partner, userId: admin.id, chain: chain.chain, ...known });
});
afterAll(() => on.close());

function callerOf(person: TestPerson | undefined): unknown {
  if (person === undefined) throw new Error("there is no such person");
  const { actor } = person.by;
  const now = new Date();
  const session = { sessionId: randomUUID(), sidHash: randomUUID(), lastSeenAt: now, expiresAt: new Date(now.getTime() + 3_600_000) };
  const proof = { steppedUpAt: now, steppedUpByCode: false, provenByProvider: false, hasTotp: true, hasPasskey: false, viewedBy: null };
  const who = { userId: person.id, email: person.email, name: "Ana", role: actor.role, partnerId: actor.partnerId, partnerName: null };
  const holder = { ...session, ...proof, ...who };
  const web = { services: ctx, live: liveHub(ctx), settings: TEST_CONSOLE_SETTINGS, apiLog: openApiLog(ctx) };
  const request = { ending: new AbortController().signal, requestId: null, lapsesAt: null, address: "10.1.1.1" };
  return appRouter.createCaller({ ...web, ...request, holder, readHolder: async () => holder, renewCookie: async () => {} });
}

/** The questions, by name: what changes nothing and is no stream, and what only reads though it is sent as a change. */
const Procedures = z.record(
  z.string(),
  z.custom<{ _def: { type: string } }>((procedure) => typeof procedure === "function"),
);
const QUESTIONS = Object.entries(Procedures.parse(appRouter._def.procedures)).flatMap(([path, { _def }]) =>
  _def.type === "query" || ["approvalPolicy.try", "statements.named"].includes(path) ? [path] : [],
);

/** How a question ends: null where it is answered; otherwise the code of its refusal, or why it broke. */
async function ask(caller: unknown, path: string, input: unknown): Promise<string | null> {
  const procedure = path.split(".").reduce<unknown>((found, part) => Reflect.get(Object(found), part), caller);
  if (typeof procedure !== "function") return "there is no such question";
  try {
    await procedure(input);
    return null;
  } catch (error) {
    const refusal = error instanceof Error ? error.cause : null;
    if (isRefusal(refusal) && refusal.code !== "internal_error") return refusal.code;
    const causes: string[] = [];
    for (let each: unknown = error; each instanceof Error; each = each.cause) causes.push(each.message.replaceAll(/\s+/g, " "));
    return causes.join(" <- ");
  }
}

for (const [whose, person, role, reasons] of [
  ["the operator's people", () => admin, "admin", OF_EVERYBODY],
  ["a partner's people", () => owner, "owner", OF_ITS_OWN],
] as const) {
  describe(`the questions of ${whose}`, () => {
    it("are answered, each of them, and go to one partner's node, but for those that have a reason", async () => {
      const statements = watchStatements(on.database);
      const caller = callerOf(person());
      const mayNot = (path: string) => !ROLES_OF[RIGHTS[path]?.for ?? "anybody"].includes(role);
      const unexpected: string[] = [];
      const unrouted: string[] = [];
      for (const path of QUESTIONS) {
        await statements.begin();
        for (const input of inputs[path] ?? [RIGHTS[path]?.input]) {
          const end = await ask(caller, path, input);
          const expected = ABOUT_NOTHING.includes(path)
            ? /^(?!answered$)[a-z_]+$/
            : mayNot(path)
              ? /^(?:not_found|forbidden)$/
              : /^answered$/;
          if (!expected.test(end ?? "answered")) unexpected.push(`${path} ${JSON.stringify(input)}: ${end ?? "answered"}`);
        }
        if ((await statements.unrouted()).length > 0) unrouted.push(path);
      }
      expect(unexpected).toEqual([]);
      expect(unrouted.sort()).toEqual(Object.values(reasons).flat().sort());
    });
  });
}
