import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seed } from "#bench/seed.ts";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { POLICY_HINTS } from "#domain/policy-rule.ts";
import type { TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { setPolicy } from "#server/services/approval-policy/set-policy.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { startMachinePostgres } from "#testing/machine-postgres.ts";
import { addProvenPerson } from "#testing/people.ts";
import { issueKey, type RequestParts, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { REGISTRY } from "./registry.ts";
import { handle } from "./surface.ts";
import type { SurfaceContext } from "./surface-context.ts";

/**
 * PostgreSQL compiles a statement whose estimate is high enough (`jit`, on by default in Debian), again for each execution: a quote took
 * twenty times as long. The embedded PostgreSQL cannot, so this uses the machine's, which logs each executed plan.
 */

const MANY = 20_000;
/** From this estimate on PostgreSQL compiles, as it is installed (`jit_above_cost`). */
const COMPILES_ABOVE = 100_000;
const { surface, bindings } = REGISTRY.settlement;
const EXPLAINED = {
  shared_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
  log_line_prefix: "",
  // Whatever a statement is estimated at, a session that compiles would show it.
  jit_above_cost: "0",
};

type Plan = { "Query Text": string; Plan: { "Total Cost": number }; JIT?: object };

let server: TemporaryPostgres;
let owner: postgres.Sql;
let pool: OpenDatabase;
let surfaceContext: SurfaceContext;
let key: IssuedApiKey;

beforeAll(async () => {
  server = await startMachinePostgres(EXPLAINED);
  const url = new URL(server.superuserUrl);
  owner = postgres(url.href, { max: 1, onnotice: () => {} });
  const role = await migrate(url.href);
  await seed(owner, MANY);
  pool = openDatabase({ url: url.href, applicationName: "explained", maxConnections: 2, role });
  const ctx = testContext(pool.db);
  surfaceContext = testSurfaceContext(ctx);
  const [busiest] = await owner<{ id: string }[]>`select partner_id as id from settlements group by 1 order by count(*) desc limit 1`;
  if (busiest === undefined) throw new Error("the seed has partners");
  key = await issueKey(ctx, { partnerId: busiest.id });
  // A partner whose settlements are nearly all of one merchant.
  await owner`alter table settlements disable trigger user`;
  await owner`update settlements set external_merchant_id = 'merchant-1' where partner_id = ${busiest.id}`;
  await owner`alter table settlements enable trigger user`;
  await owner.unsafe("vacuum analyze settlements");
  await limitAndApprove();
});
afterAll(async () => {
  await pool?.close();
  await owner?.end();
  await server?.stop();
});

/** The limits of a new live service, and somebody else's policy that needs all of its hints. */
async function limitAndApprove(): Promise<void> {
  await openLimits(surfaceContext.ctx);
  const { by } = await addProvenPerson(pool.db, "admin");
  const [other] = await owner<{ id: string }[]>`select id from partners where id <> ${String(key.partnerId)} limit 1`;
  const rule = { partner_id: other?.id ?? null, source_currency: null, destination_currency: null, chain: null, amount: null };
  const rules = [{ ...rule, id: "hinted", hints: [...POLICY_HINTS], approvals: 1, who: "deciders" as const, people: [] }];
  await setPolicy({ ...surfaceContext.ctx, mode: "sandbox" }, { by, rules, expectedVersion: 0, reason: "as the test goes" });
}

async function ask(parts: RequestParts) {
  const { status, body } = await readAnswer(await handle(surface, surfaceContext, bindings, signedRequest(key, parts)));
  return { status, body };
}

const create = () =>
  ask({
    method: "POST",
    target: "/api/v1/settlements",
    body: JSON.stringify({
      source_amount: 100_000,
      source_currency: "KES",
      destination_currency: "USDT",
      external_merchant_id: "merchant-1",
      chain: "eip155:31337",
      wallet_address: "0x52908400098527886E0F7030069857D2E4169EE7",
      callback_url: "http://localhost:9/callback",
    }),
  });

/** The plans of all that was executed during the work: a statement is in the log before its answer is on its way. */
async function plansOf(work: () => Promise<unknown>): Promise<Plan[]> {
  const file = join(server.data, "..", "postgres.log");
  const before = readFileSync(file).length;
  await work();
  const logged = readFileSync(file).subarray(before).toString("utf8");
  return [...logged.matchAll(/plan:\n(\t\{[\s\S]*?\n\t\})/g)].map(([, json = "{}"]) => JSON.parse(json) as Plan);
}

/** Each more often than PostgreSQL makes a custom plan for each execution. */
async function signedRequests(): Promise<void> {
  for (let time = 0; time < 7; time += 1) {
    const [confirmed, cancelled] = [await create(), await create()].map(({ body }) => `/api/v1/settlements/${body.tx_id}`);
    const answers = [
      await ask({ target: confirmed ?? "" }),
      await ask({ target: "/api/v1/settlements?limit=25" }),
      await ask({ method: "POST", target: `${confirmed}/confirm`, body: JSON.stringify({ external_tx_id: randomUUID() }) }),
      await ask({ method: "POST", target: `${cancelled}/cancel`, body: "{}" }),
    ];
    expect(
      answers.map(({ status }) => status),
      JSON.stringify(answers),
    ).toEqual([200, 200, 200, 200]);
  }
}

describe("on the machine's PostgreSQL as installed, with many settlements", () => {
  it("a statement of a session that compiles is seen by this test", async () => {
    const plans = await plansOf(() => owner.unsafe("set jit = on; select sum(length(body::text)) from callbacks; reset jit"));
    expect(plans.filter(({ JIT }) => JIT !== undefined)).toHaveLength(1);
  });

  it("no statement of a signed request is compiled, nor estimated so high that it would be", async () => {
    const plans = await plansOf(signedRequests);
    expect(plans.filter(({ "Query Text": text }) => text.includes("jsonb_to_recordset")).length).toBeGreaterThan(0);
    expect(plans.filter(({ JIT }) => JIT !== undefined).map(({ "Query Text": text }) => text.slice(0, 200))).toEqual([]);
    const dear = plans.filter(({ Plan: { "Total Cost": cost } }) => cost > COMPILES_ABOVE);
    expect([...new Set(dear.map(({ "Query Text": text, Plan: plan }) => `${plan["Total Cost"]}: ${text.slice(0, 200)}`))]).toEqual([]);
  });
});
