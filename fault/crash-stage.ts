import { randomUUID } from "node:crypto";
import { findSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import type { By } from "#domain/access.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { deliverOnce } from "#server/engines/callbacks/deliver.ts";
import { createCallbackEngine, DELIVERY_STEPS } from "#server/engines/callbacks/engine.ts";
import { createFiatEngine, FIAT_STEPS, type SweepRequest } from "#server/engines/fiat-orders/engine.ts";
import { runOrdersOnce } from "#server/engines/fiat-orders/run-orders.ts";
import { TRANSFER_STEPS } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { planSweep } from "#server/engines/payments/signing/plan-sweep.ts";
import { DEPLOYMENT_STEPS, processDeployments } from "#server/engines/safe-deployments/process-deployments.ts";
import { simulatedRail } from "#server/engines/simulated-rail/simulated-rail.ts";
import { listAmbiguousOrders } from "#server/services/fiat/read-orders.ts";
import { resolveAmbiguous } from "#server/services/fiat/resolve-ambiguous.ts";
import { createSafe } from "#server/services/safes/ask-deployment.ts";
import { giveSecrets, localSender, silentLog, testVault } from "#testing/callbacks.ts";
import { startTestChain } from "#testing/chain.ts";
import { Died, mortal } from "#testing/death.ts";
import type { TestPartner } from "#testing/factories.ts";
import { onlyRail } from "#testing/fiat.ts";
import { openMoneyStage } from "#testing/money-stage.ts";
import { startRpcProxy } from "#testing/rpc-proxy.ts";
import type { BenchDatabase } from "#testing/stage/database.ts";
import { newAddress } from "#testing/transfers.ts";
import type { Owed } from "./checker.ts";

const starts = (name: string) => (step: string) => step.startsWith(name);

/**
 * Every step of every engine, from the engines' own lists, by the work that reaches it. Without `held`: only this work processes a
 * held payment (`server/engines/payments/signing/screen-payments.test.ts`).
 */
export const POINTS = {
  payments: TRANSFER_STEPS.filter((step) => step !== "held" && !starts("bump_")(step) && !starts("forfeit_")(step)),
  bumps: TRANSFER_STEPS.filter(starts("bump_")),
  forks: TRANSFER_STEPS.filter(starts("forfeit_")),
  callbacks: DELIVERY_STEPS,
  "fiat-orders": FIAT_STEPS,
  "safe-deployments": DEPLOYMENT_STEPS,
} as const;
export type Engine = keyof typeof POINTS;

const BY: By = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000000" }, requestId: null };
const DELIVERED_MS = 5_000;

/** All engines in one process, over a real chain, a real database, the sandbox's provider and a receiver. A process dies in all of them at once. */
export async function openCrashStage(database: BenchDatabase, packing: boolean) {
  const chain = await startTestChain({ noMining: true });
  const node = await startRpcProxy(chain.rpcUrl);
  const receiver = await openReceiver();
  const close = async () => {
    await receiver.close();
    await node.stop();
    await chain.stop();
  };
  try {
    const { url, db, sql } = database;
    const own = { url, db, sql, role: "", web: db, worker: db, webRole: "", close: async () => {} };
    const stage = await openMoneyStage(chain, {
      partners: 1,
      database: own,
      rpcUrls: [node.url],
      packing,
      bumpAfterSeconds: 0,
      callbackUrl: receiver.url,
    });
    const [partner] = stage.partners;
    if (partner === undefined) throw new Error("there is no partner");
    const { apiSecret, callbackSecret } = await giveSecrets(stage.db, partner);
    const secrets = { api_secret: apiSecret, callback_secret: callbackSecret };
    return {
      ...stage,
      ...asks(stage, { partner, url: receiver.url }),
      database,
      chain,
      node,
      receiver,
      secrets,
      process: processOf(stage),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export type CrashStage = Awaited<ReturnType<typeof openCrashStage>>;
type Money = Awaited<ReturnType<typeof openMoneyStage>>;

/** The requested work of a run, of each kind. */
function asks(stage: Money, { partner, url }: { partner: TestPartner; url: string }) {
  const chain = stage.ctx.evm.list()[0]?.chain ?? "";
  return {
    async settle(): Promise<Owed> {
      const wallet = newAddress();
      const { id, quote } = await stage.quote(partner, { amountMinor: 100_000n, wallet });
      await stage.confirm(partner, id);
      return { id, wallet, amountBase: quote.destinationAmountBase, callbackUrl: url };
    },
    topUpOnce: () => stage.topUp(partner, { amountMinor: 10_000n, wallet: newAddress() }),
    withdrawOnce: () => stage.withdraw(partner, { amountMinor: 10_000n }),
    async deploySafe(): Promise<string> {
      const wish = { by: { ...BY, requestId: randomUUID() }, path: "/safes", idempotencyKey: null, chain };
      return (await createSafe(stage.ctx, { ...wish, owners: [newAddress(), newAddress()], threshold: 2, version: "1.4.1" })).id;
    },
    deployment: (id: string) => findSafeDeployment(stage.db, id),
    /** An operator asks the provider about ambiguous orders, and learns the outcome. */
    async settleUnclear(): Promise<void> {
      for (const { id: orderId, kind } of await listAmbiguousOrders(stage.ctx)) {
        if ((await simulatedRail(stage.powers).lookUp(orderId)) !== null) continue;
        const order = { by: BY, reason: "The provider's people never had it.", kind, orderId };
        await resolveAmbiguous(stage.powers, { ...order, resolution: { outcome: "not_moved" } });
      }
    },
  };
}

/** One pass of everything that a worker process does. It dies where `observe` throws. Returns whether it is alive. */
function processOf(stage: Money) {
  return (observe: (point: string) => void) => {
    const state = { died: false };
    const see = (step: string) => {
      try {
        observe(step);
      } catch (error) {
        state.died = true;
        throw error;
      }
    };
    const powers = { ...stage.powers, vault: testVault, callbacks: localSender, log: silentLog };
    const fate = mortal(powers, see);
    const transfers = stage.newTransfers({ ctx: fate.ctx, observe: fate.observe });
    const rails = { rails: onlyRail(simulatedRail(fate.ctx)), planSweep: (sweep: SweepRequest) => planSweep(fate.ctx, sweep) };
    const orders = createFiatEngine({ ...rails, ctx: fate.ctx, observe: fate.observe });
    const callbacks = createCallbackEngine(fate.ctx, { brand: "Service", observe: fate.observe });
    const chain = stage.ctx.evm.list()[0]?.chain ?? "";
    const work = async () => {
      await processDeployments(fate.ctx, chain, fate.observe);
      await runOrdersOnce(orders, "withdrawals");
      await runOrdersOnce(orders, "topups");
      await runTransfersOnce(transfers, chain);
      await deliverOnce(callbacks);
      await Promise.all([...callbacks.running]);
      await callbacks.settling.finish(state.died ? 0 : DELIVERED_MS);
    };
    return async (): Promise<boolean> => {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof Died) && !state.died) throw error;
      }
      if (state.died) await callbacks.settling.finish(0);
      return !state.died;
    };
  };
}
