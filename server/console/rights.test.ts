import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { members } from "#db/schema/members.ts";
import type { UserRole } from "#domain/access.ts";
import { isRefusal } from "#domain/refusal.ts";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import type { Context } from "#server/context.ts";
import { openApiLog } from "#server/services/access/log-api-requests.ts";
import type { SessionHolder } from "#server/services/people/sessions/sessions.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import { addPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { WITHOUT_STEP_UP } from "./light-fixture.ts";
import { RIGHTS } from "./rights-fixture.ts";
import { type Audience, EVERY_ROLE, type Right, ROLES_OF } from "./rights-inputs-fixture.ts";
import { appRouter } from "./router.ts";
import type { TrpcContext } from "./trpc/context.ts";
import type { ProcedureMeta } from "./trpc/init.ts";
import { liveHub } from "./trpc/live-hub.ts";

const OF_OPERATOR: readonly Audience[] = ["operator", "decider", "admin"];
/** A router has its procedures by their whole path, which its type does not show. */
const Procedures = z.record(
  z.string(),
  z.custom<{ _def: { type: string; meta?: ProcedureMeta } }>((procedure) => typeof procedure === "function"),
);
const PROCEDURES = Object.entries(Procedures.parse(appRouter._def.procedures)).map(([path, { _def }]) => ({
  path,
  type: _def.type,
  meta: _def.meta,
}));

let database: TestDatabase;
let ctx: Context;
let [ours, theirs]: TestPartner[] = [];
const people = new Map<UserRole, SessionHolder>();
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
  [ours, theirs] = [await addPartner(database.db), await addPartner(database.db)];
  for (const role of EVERY_ROLE) people.set(role, await holderOf(role));
});
afterAll(() => database.close());

async function holderOf(role: UserRole): Promise<SessionHolder> {
  const partnerId = role === "owner" || role === "staff" ? (ours?.partnerId ?? null) : null;
  const { id, email } = await addPerson(database.db, role, partnerId);
  const [now, later] = [new Date(), new Date(Date.now() + 3_600_000)];
  const session = {
    sessionId: randomUUID(),
    sidHash: randomUUID(),
    lastSeenAt: now,
    expiresAt: later,
    steppedUpAt: now,
    steppedUpByCode: false,
    provenByProvider: false,
    hasTotp: false,
    hasPasskey: false,
    viewedBy: null,
  };
  return { ...session, userId: id, email, name: role, role, partnerId, partnerName: partnerId && "Ours" };
}
const person = (role: UserRole, change: Partial<SessionHolder> = {}): SessionHolder => {
  const holder = people.get(role);
  if (holder === undefined) throw new Error(`there is no ${role}`);
  return { ...holder, ...change };
};
const viewing = () => person("viewer", { role: "staff", partnerId: ours?.partnerId ?? "", partnerName: "Ours", viewedBy: "viewer" });

/** What a procedure answers, or the code of its refusal. */
async function call(
  path: string,
  holder: SessionHolder | null,
  input?: unknown,
  services = ctx,
): Promise<{ code: string | null; answer: unknown }> {
  const settings: TrpcContext["settings"] = {
    mode: "sandbox",
    brand: "Service",
    baseUrl: "http://localhost:3000",
    rateSource: "fixed",
    rateMaxAgeSeconds: 120,
    retention: DEFAULT_RETENTION,
    rateLimits: { writesPerSecond: 0, readsPerSecond: 0 },
    trustedProxies: [],
    callbackAllowedHosts: [],
    playMoney: true,
  };
  const apiLog = openApiLog(services);
  const live = liveHub(services);
  const session = { holder, readHolder: async () => holder, renewCookie: async () => {} };
  const context = { services, live, settings, apiLog, ending: new AbortController().signal, ...session };
  const caller: unknown = appRouter.createCaller({ ...context, requestId: `req_${randomUUID()}`, lapsesAt: null, address: "10.1.1.1" });
  const procedure = path.split(".").reduce<unknown>((found, part) => Reflect.get(Object(found), part), caller);
  try {
    return { code: null, answer: typeof procedure === "function" ? await procedure(input) : undefined };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    if (isRefusal(cause) && cause.code !== "internal_error") return { code: cause.code, answer: null };
    throw new Error(`${path} broke`, { cause: error });
  }
}
const rightOf = (path: string): Right => RIGHTS[path] ?? { for: "anybody" };
const SHUT = ["invalid_token", "enrolment_required", "forbidden", "step_up_required"];

describe("the procedures of the console", () => {
  it("are all classified, and nothing else is", () => {
    expect(Object.keys(RIGHTS).sort()).toEqual(PROCEDURES.map(({ path }) => path).sort());
  });

  for (const role of EVERY_ROLE) {
    it(`let a person of the role ${role} do what that role may, and refuse the rest`, async () => {
      const wrong: string[] = [];
      for (const { path } of PROCEDURES) {
        const right = rightOf(path);
        const { code } = await call(path, person(role), right.input);
        const may = ROLES_OF[right.for].includes(role);
        const isHidden = OF_OPERATOR.includes(right.for) && (role === "owner" || role === "staff");
        const isRight = may
          ? !SHUT.includes(code ?? "") && (code !== "not_found" || right.input !== undefined)
          : isHidden
            ? code === "not_found"
            : code === "not_found" || code === "forbidden";
        if (!isRight) wrong.push(`${path}: ${code}`);
      }
      expect(wrong).toEqual([]);
    });
  }

  it("answer nobody who is not signed in, but for invitations", async () => {
    for (const { path } of PROCEDURES) {
      const { code } = await call(path, null, rightOf(path).input);
      expect([path, code]).toEqual([path, rightOf(path).for === "anybody" ? "validation_failed" : "invalid_token"]);
    }
  });

  it("leave who must set two factors up nothing else to do, where the installation asks for them", async () => {
    const strict = { ...ctx, entryRules: { requireTotpForDeciders: true } };
    for (const { path } of PROCEDURES) {
      const { for: audience, input } = rightOf(path);
      const isOpen = audience === "anybody" || audience === "entering";
      for (const role of ["admin", "approver"] as const) {
        const { code } = await call(path, person(role), input, strict);
        expect([path, code === "enrolment_required"]).toEqual([path, !isOpen]);
      }
      if (audience !== "person") continue;
      expect([path, (await call(path, person("viewer"), input, strict)).code]).not.toContain("enrolment_required");
      expect([path, (await call(path, person("admin", { hasTotp: true }), input, strict)).code]).not.toContain("enrolment_required");
    }
  });

  it("need password or code again where they say so, and only there", async () => {
    for (const [path, right] of Object.entries(RIGHTS)) {
      const role = ROLES_OF[right.for][0] ?? "admin";
      for (const steppedUpAt of [null, new Date(Date.now() - 5 * 60_000)]) {
        const { code } = await call(path, person(role, { steppedUpAt }), right.input);
        expect([path, code === "step_up_required"]).toEqual([path, right.stepUp === true]);
      }
    }
  });

  it("need it for everything that changes something, except what is named with its reason", async () => {
    const changing = PROCEDURES.filter(({ path, type }) => type === "mutation" && rightOf(path).for !== "anybody");
    const isWithoutStepUp = ({ meta }: (typeof PROCEDURES)[number]) => meta?.stepUp === false;
    expect(
      changing
        .filter(isWithoutStepUp)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(Object.keys(WITHOUT_STEP_UP).sort());
    for (const { path } of changing.filter((one) => !isWithoutStepUp(one))) {
      // Without any input: the permission is checked first, before the service behind it.
      const { code } = await call(path, person(ROLES_OF[rightOf(path).for][0] ?? "admin", { steppedUpAt: null }));
      expect([path, code]).toEqual([path, "step_up_required"]);
    }
  });

  it("show who looks at the console as a partner what its staff sees, and let them change nothing but leave", async () => {
    for (const { path, type } of PROCEDURES) {
      const { for: audience, input } = rightOf(path);
      const { code } = await call(path, viewing(), input);
      if (audience === "anybody" || path === "session.leaveView") continue;
      if (type === "mutation") expect([path, code]).toEqual([path, "forbidden"]);
      else if (!ROLES_OF[audience].includes("staff")) expect([path, ["not_found", "forbidden"].includes(code ?? "")]).toEqual([path, true]);
      else expect([path, SHUT.includes(code ?? "")]).toEqual([path, false]);
    }
  });
});

describe("what is another partner's", () => {
  it("is in no answer to a partner's people, whatever id they name", async () => {
    const foreign = await addTheirThings();
    const asked: Record<string, unknown> = {
      "settlements.byId": { tx_id: foreign.tx },
      "settlements.rows": { tx_ids: [foreign.tx] },
      "settlements.list": { partner_id: foreign.partner },
      "settlements.count": { partner_id: foreign.partner },
      "settlements.search": { text: foreign.tx },
      "settlements.neighbours": { tx_id: foreign.tx },
      "settlements.paymentReceipt": { tx_id: foreign.tx },
      "callbacks.list": { partner_id: foreign.partner },
      "callbacks.groups": { partner_id: foreign.partner },
      "callbacks.endpoints": { partner_id: foreign.partner },
      "members.byId": { id: foreign.member },
      "members.safe": { id: foreign.member },
      "members.list": { partner_id: foreign.partner },
      "members.update": { id: foreign.member, name: "Taken over" },
      "fiat.withdrawals": { partner_id: foreign.partner },
      "fiat.topups": { partner_id: foreign.partner },
      "audit.list": {},
      "audit.ofObject": { object_id: foreign.tx },
      "apiLog.list": { partner_id: foreign.partner },
      "developers.keys": { partner_id: foreign.partner },
      "developers.callbackSecret": { partner_id: foreign.partner },
      "developers.rotateKey": { id: foreign.key, overlap_seconds: 0 },
      "developers.revokeKey": { id: foreign.key },
      "developers.rotateCallbackSecret": { partner_id: foreign.partner, overlap_seconds: 0 },
      "people.list": { of: foreign.partner },
      "people.disable": { user_id: foreign.person },
      "people.endSessions": { user_id: foreign.person },
      "people.changeRole": { user_id: foreign.person, role: "owner" },
      "savedViews.list": undefined,
      "overview.newest": undefined,
    };
    for (const [path, input] of Object.entries(asked)) {
      for (const holder of [person("owner"), person("staff"), viewing()]) {
        const { code, answer } = await call(path, holder, input);
        const text = JSON.stringify(answer ?? null).replaceAll(JSON.stringify({ text: foreign.tx }), "");
        const found = Object.values(foreign).filter((id) => text.includes(id) && !(path === "settlements.search" && id === foreign.tx));
        expect([path, holder.role, found]).toEqual([path, holder.role, []]);
        expect([path, code === "internal_error"]).toEqual([path, false]);
      }
    }
    expect((await call("settlements.byId", person("owner"), asked["settlements.byId"])).code).toBe("settlement_not_found");
    expect((await call("settlements.search", person("staff"), asked["settlements.search"])).answer).toMatchObject({ data: [] });
    expect((await call("settlements.byId", person("viewer"), asked["settlements.byId"])).code).toBeNull();
    const [row] = await database.sql`select role, disabled_at from users where id = ${foreign.person}`;
    expect(row).toEqual({ role: "staff", disabled_at: null });
  });
});

/** One of everything that has an id, of the other partner. */
async function addTheirThings() {
  if (theirs === undefined) throw new Error("there is no other partner");
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  const settlement = await createSettlement(ctx, {
    ...theirs,
    sourceAmountMinor: 1_000_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant-of-theirs",
    chain: TEST_CHAIN.chain,
    walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    callbackUrl: null,
  });
  const member = randomUUID();
  const now = new Date();
  const wallet = { walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", chain: TEST_CHAIN.chain };
  await database.db.insert(members).values({
    id: member,
    partnerId: theirs.partnerId,
    externalUserId: "u-1",
    phone: "+254700000001",
    ...wallet,
    createdAt: now,
    updatedAt: now,
  });
  const { id } = await addPerson(database.db, "staff", theirs.partnerId);
  return { tx: settlement.id, partner: theirs.partnerId, key: theirs.apiKeyId, member, person: id };
}
