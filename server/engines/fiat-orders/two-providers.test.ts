import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { providerScope } from "#domain/fiat.ts";
import { railSignature, railSignatureMatches } from "#domain/rail-signature.ts";
import { createHttpRail } from "#server/adapters/fiat/http.ts";
import { createFiatProviders } from "#server/adapters/fiat/providers.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { drawUpWithdrawal } from "#server/services/fiat/draw-up-withdrawal.ts";
import { listAmbiguousOrders } from "#server/services/fiat/read-orders.ts";
import { requestTopup } from "#server/services/fiat/request-topup.ts";
import { requestWithdrawal } from "#server/services/fiat/request-withdrawal.ts";
import { resolveAmbiguous } from "#server/services/fiat/resolve-ambiguous.ts";
import { haltScope, listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { expectCleanAudit, WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { setClockOffset } from "#testing/factories.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { runOrdersOnce } from "./run-orders.ts";

/** Two providers at once, each on its own port: an order stays with the one that it began with. */

const HOUR = 3_600_000;
const ALPHA = { name: "alpha", secret: "the secret of alpha" };
const BETA = { name: "beta", secret: "the secret of beta" };
const admin = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null };

let bench: FiatBench;
let ports: Record<string, Receiver>;

beforeEach(async () => {
  bench = await openFiatBench();
  ports = { alpha: await openProvider(ALPHA), beta: await openProvider(BETA) };
});
afterEach(async () => {
  await expectCleanAudit({ db: bench.db }, { without: WITHOUT_CHAIN });
  for (const port of Object.values(ports)) await port.close();
  await bench.close();
});

/** It accepts every order, and knows only those. A request signed with another provider's secret is a defect. */
async function openProvider({ name, secret }: typeof ALPHA): Promise<Receiver> {
  const taken = new Set<string>();
  return await openReceiver(({ target, headers, body }, response) => {
    if (!railSignatureMatches(secret, Buffer.from(body), String(headers["x-signature"]))) return void response.writeHead(500).end();
    const { order_id }: { order_id: string } = JSON.parse(body);
    if (target !== "/status") taken.add(order_id);
    const status = taken.has(order_id) ? "pending" : "unknown";
    response.end(JSON.stringify({ order_id, status, reference: `${name}-${order_id}` }));
  });
}

/** The requests to each provider: the path, and the order's id. */
const askedOf = (name: string) => (ports[name]?.requests ?? []).map(({ target, body }) => `${target} ${String(JSON.parse(body).order_id)}`);

function railOf(provider: typeof ALPHA) {
  const paths = { collect: "/collect", payOut: "/pay-out", lookUp: "/status", balance: null };
  const url = ports[provider.name]?.origin ?? "";
  return createHttpRail({ url, paths, secret: provider.secret, timeoutMs: 2_000, callbackBaseUrl: "https://api.example.com" });
}

/** An installation in which these are configured, the first of them for new orders. */
function installation(current: typeof ALPHA, ...former: (typeof ALPHA)[]) {
  const ctx = { ...bench.ctx, fiatProviders: createFiatProviders(current, former) };
  const rails = new Map([current, ...former].map((provider) => [provider.name, railOf(provider)]));
  const engine = bench.newEngine({ rails: { of: (name) => rails.get(name) ?? null } });
  return {
    ctx,
    run: (table: "withdrawals" | "topups") => runOrdersOnce(engine, table),
    topUp: async () => (await requestTopup(ctx, bench.topupOf())).topup.id,
    async withdraw(): Promise<string> {
      const command = bench.withdrawalOf();
      return (await requestWithdrawal(ctx, command, () => drawUpWithdrawal(ctx, command))).withdrawal.id;
    },
    /** A call of the provider's, as the surface takes it. */
    async call(by: typeof ALPHA, kind: "withdrawal" | "topup", orderId: string, status: "succeeded" | "failed") {
      const body = JSON.stringify({ order_id: orderId, status });
      const provider = ctx.fiatProviders.signerOf(Buffer.from(body), railSignature(by.secret, body));
      if (provider === null) throw new Error("the signature is no provider's");
      await takeProviderEvent(ctx, { provider, kind, orderId, word: { status, reference: "R-1", reason: null }, body });
    },
  };
}

/** A withdrawal whose crypto is taken: its provider is to pay. */
async function swept(at: ReturnType<typeof installation>): Promise<string> {
  const id = await at.withdraw();
  await at.run("withdrawals");
  await bench.endTransfer("sweep", id, { txHash: `0x${id.slice(-8)}` });
  return id;
}

describe("with two providers configured", () => {
  it("a new order takes the one for new orders, and one in flight goes on with its own, whichever that is now", async () => {
    const before = installation(ALPHA);
    const [payout, collection] = [await swept(before), await before.topUp()];
    await before.run("topups");
    const after = installation(BETA, ALPHA);
    const [newPayout, newCollection] = [await swept(after), await after.topUp()];
    for (const table of ["withdrawals", "topups"] as const) await after.run(table);
    await setClockOffset(bench.db, HOUR + 1_000);
    await after.run("topups");

    expect(askedOf("alpha").sort()).toEqual([`/collect ${collection}`, `/pay-out ${payout}`, `/status ${collection}`]);
    expect(askedOf("beta").sort()).toEqual([`/collect ${newCollection}`, `/pay-out ${newPayout}`, `/status ${newCollection}`]);
    await after.call(ALPHA, "withdrawal", payout, "succeeded");
    await after.call(BETA, "withdrawal", newPayout, "succeeded");
    expect([(await bench.withdrawal(payout)).step, (await bench.withdrawal(newPayout)).step]).toEqual(["paid", "paid"]);
  });

  it("no provider's word moves the order of another", async () => {
    const both = installation(BETA, ALPHA);
    const id = await swept(both);
    await both.run("withdrawals");
    await expect(both.call(ALPHA, "withdrawal", id, "succeeded")).rejects.toMatchObject({ code: "not_found" });
    await expect(both.call(ALPHA, "withdrawal", id, "failed")).rejects.toMatchObject({ code: "not_found" });
    expect((await bench.withdrawal(id)).step).toBe("paying_out");
    const topup = await both.topUp();
    await expect(both.call(ALPHA, "topup", topup, "succeeded")).rejects.toMatchObject({ code: "not_found" });
    expect((await bench.topup(topup)).step).toBe("collecting");
    expect(await bench.sql`select distinct effect from provider_events`).toEqual([{ effect: "unknown_order" }]);
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
  });

  it("a halt stops the provider that it names, and a contradiction halts the one that contradicts itself", async () => {
    const [alpha, beta] = [installation(ALPHA, BETA), installation(BETA, ALPHA)];
    const first = await swept(alpha);
    const scope = providerScope("alpha");
    await bench.db.transaction((tx) => haltScope(tx, { scope, cause: "operator", detail: "For the test.", evidence: {} }));
    const second = await swept(beta);
    await beta.run("withdrawals");
    expect([askedOf("alpha"), askedOf("beta")]).toEqual([[], [`/pay-out ${second}`]]);
    const [waiting] = await bench.sql`select waiting_reason from withdrawals where id = ${first}`;
    expect(waiting?.waiting_reason).toBe("The fiat provider alpha is halted.");

    await beta.call(BETA, "withdrawal", second, "succeeded");
    await beta.call(BETA, "withdrawal", second, "failed");
    expect((await listOpenHalts(bench.ctx)).map((halt) => [halt.scope.key, halt.cause])).toEqual([
      ["alpha", "operator"],
      ["beta", "provider_contradiction"],
    ]);
  });
});

describe("an order whose provider is no longer configured", () => {
  it("is an operator's case with the reason, whether it was given or not, and no other provider hears of it", async () => {
    const before = installation(ALPHA);
    const [payout, collection] = [await swept(before), await before.topUp()];
    await before.run("withdrawals");
    const after = installation(BETA);
    await setClockOffset(bench.db, HOUR + 1_000);
    for (const table of ["withdrawals", "topups", "withdrawals", "topups"] as const) await after.run(table);
    const reason = "No fiat provider named alpha is configured, and the order began with it.";
    const found = await listAmbiguousOrders(bench.ctx);
    expect(new Map(found.map((order) => [order.id, order.reason]))).toEqual(new Map([payout, collection].map((id) => [id, reason])));
    expect([(await bench.withdrawal(payout)).step, (await bench.topup(collection)).step]).toEqual(["paying_out", "collecting"]);
    expect([askedOf("alpha"), askedOf("beta")]).toEqual([[`/pay-out ${payout}`], []]);

    // Configured again, it is asked about submitted orders, and gets the others when an operator decides so.
    const again = installation(BETA, ALPHA);
    const asking = { by: admin, reason: "It is back.", resolution: { outcome: "ask_again" } } as const;
    await resolveAmbiguous({ ...bench.ctx, mode: "sandbox" }, { ...asking, kind: "withdrawal", orderId: payout });
    await resolveAmbiguous({ ...bench.ctx, mode: "sandbox" }, { ...asking, kind: "topup", orderId: collection });
    for (const table of ["withdrawals", "topups"] as const) await again.run(table);
    expect([askedOf("alpha"), askedOf("beta")]).toEqual([[`/pay-out ${payout}`, `/status ${payout}`, `/collect ${collection}`], []]);
  });

  it("does not end by its time: no one was asked whether it was paid", async () => {
    const collection = await installation(ALPHA).topUp();
    await setClockOffset(bench.db, 25 * HOUR);
    await installation(BETA).run("topups");
    expect((await bench.topup(collection)).step).toBe("collecting");
    expect((await listAmbiguousOrders(bench.ctx)).map(({ id }) => id)).toEqual([collection]);
  });

  it("keeps its crypto in the Safe where it was not taken yet, and goes on by itself once the provider is back", async () => {
    const id = await installation(ALPHA).withdraw();
    await installation(BETA).run("withdrawals");
    expect(await bench.transferOf("sweep", id)).toBeNull();
    const [row] = await bench.sql`select step, waiting_reason from withdrawals where id = ${id}`;
    expect(row).toEqual({ step: "reserved", waiting_reason: expect.stringContaining("No fiat provider named alpha is configured") });
    await setClockOffset(bench.db, 61_000);
    await installation(BETA, ALPHA).run("withdrawals");
    expect(await bench.transferOf("sweep", id)).not.toBeNull();
  });
});
