import type { z } from "zod";
import type { Operation } from "#contract/operation.ts";
import {
  createFallbackHandlerOperation,
  createMasterContract130Operation,
  createMasterContract141Operation,
  createSafeOperation,
} from "#contract/partner/safe-operations.ts";
import { type ethTxSchema, renderEthTx } from "#contract/partner/safes.ts";
import type { SafeVersion } from "#domain/safe.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import type { Context } from "#server/context.ts";
import { tracePlace } from "#server/observe/trace.ts";
import { createSafe, createSafeContract, type DeploymentWish } from "#server/services/safes/ask-deployment.ts";
import { awaitDeployment } from "#server/services/safes/await-deployment.ts";
import { type Binding, bindAfter } from "./bind.ts";
import { readIdempotencyKey } from "./respond.ts";

/** The operator's deployments (contract, part 6). */

const NEWEST: SafeVersion = "1.4.1";

export const SAFES: readonly Binding[] = [
  bindDeployment(createSafeOperation, (ctx, wish, { chain, owners, threshold, version = NEWEST }) =>
    createSafe(ctx, { ...wish, chain, owners, threshold, version }),
  ),
  bindDeployment(createMasterContract130Operation, (ctx, wish, { chain }) =>
    createSafeContract(ctx, { ...wish, contract: "master_copy", chain, version: "1.3.0" }),
  ),
  bindDeployment(createMasterContract141Operation, (ctx, wish, { chain }) =>
    createSafeContract(ctx, { ...wish, contract: "master_copy", chain, version: "1.4.1" }),
  ),
  bindDeployment(createFallbackHandlerOperation, (ctx, wish, { chain, version = NEWEST }) =>
    createSafeContract(ctx, { ...wish, contract: "fallback_handler", chain, version }),
  ),
];

/**
 * Binds a deployment to its request. It is enqueued before the operation itself, in its own transaction, and awaited there, where no
 * transaction is open and the request's database deadline is paused; the operation then only returns it.
 */
function bindDeployment<Body extends z.ZodType>(
  operation: Operation<z.ZodType, z.ZodType, Body, typeof ethTxSchema, "operator">,
  ask: (ctx: Context, wish: DeploymentWish, body: z.output<Body>) => Promise<SafeDeployment>,
): Binding {
  const binding = bindAfter(
    operation,
    async (ctx, { by, raw, body }) => {
      const wish = { by, path: raw.path, idempotencyKey: readIdempotencyKey(raw), trace: tracePlace() };
      const { id } = await ask(ctx, wish, body);
      return renderEthTx(await awaitDeployment(ctx, { id, keep: wish.idempotencyKey !== null }));
    },
    async (_ctx, _call, body) => ({ body }),
  );
  return { ...binding, writesFirst: true };
}
