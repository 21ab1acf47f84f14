import { z } from "zod";
import { safeCreateSchema } from "#contract/partner/safes.ts";
import { caip2, plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { SAFE_VERSIONS } from "#domain/safe.ts";
import { type EthTx, SAFE_DEPLOYMENT_KINDS, SAFE_DEPLOYMENT_STATES, type SafeDeployment } from "#domain/safe-deployment.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { createSafe, createSafeContract } from "#server/services/safes/ask-deployment.ts";
import { browseDeployments, readDeployment } from "#server/services/safes/find-deployments.ts";
import { renderHistory, renderPayment } from "./settlement-rows.ts";
import { readIdWalk, renderWalked, walkFields } from "./walk.ts";

const deploymentPage = fromWire({
  kind: z.enum(SAFE_DEPLOYMENT_KINDS).optional(),
  state: z.enum(SAFE_DEPLOYMENT_STATES).optional(),
  chain: caip2.optional(),
  ...walkFields,
});
/** One a dialog: the same again is the same deployment. */
const request_key = z.uuid();
/** What the operator deploys by itself: the factory comes along with the first Safe that needs it. */
const contract = z.enum(["master_copy", "fallback_handler"]);

const deploy = operatorProcedure("administer");
/** Keys of the console name its own requests, never those of the surface. */
const PATH = "console:safes";

/** Safes and the contracts that they need: requests, progress, and new requests. Only for operators. */
export const safesRouter = router({
  list: operatorProcedure()
    .input(deploymentPage)
    .query(async ({ ctx: { services }, input: { limit, cursor, direction, ...filter } }) => {
      const walk = readIdWalk({ limit, cursor, direction }, "safeDeployment");
      return renderWalked(await browseDeployments(services, { filter, ...walk }), renderDeployment);
    }),

  byId: operatorProcedure()
    .input(fromWire({ id: plainText(1, 64) }))
    .query(async ({ ctx: { services }, input }) => {
      const { deployment, payment, paidOn, ethTx, history } = await readDeployment(services, input.id);
      return {
        ...renderDeployment(deployment),
        payment: payment && renderPayment(payment, paidOn, true),
        eth_tx: ethTx && renderSignedTx(ethTx),
        history: history.map((entry) => renderHistory(entry, true)),
      };
    }),

  /** Owes a Safe; how far it comes is read by its id. */
  create: deploy
    .input(fromWire({ request_key, safe: safeCreateSchema }))
    .mutation(async ({ ctx: { services, by }, input: { requestKey: idempotencyKey, safe } }) => {
      const { chain, owners, threshold, version = "1.4.1" } = safe;
      return renderDeployment(await createSafe(services, { by, path: PATH, idempotencyKey, chain, owners, threshold, version }));
    }),

  /** Requests one more copy of a contract that Safes need. */
  createContract: deploy
    .input(fromWire({ request_key, contract, chain: caip2, version: z.enum(SAFE_VERSIONS) }))
    .mutation(async ({ ctx: { services, by }, input: { requestKey: idempotencyKey, ...order } }) => {
      return renderDeployment(await createSafeContract(services, { by, path: PATH, idempotencyKey, ...order }));
    }),
});

export function renderDeployment(deployment: SafeDeployment) {
  return {
    ...toWire(deployment, "id", "kind", "chain", "version", "shared", "owners", "threshold", "memberId"),
    ...toWire(deployment, "state", "address", "waitingReason", "failureReason", "createdAt", "updatedAt"),
  };
}

/** The transaction as it was signed, its numbers as exact texts. */
function renderSignedTx(tx: EthTx) {
  return {
    ...toWire(tx, "txHash", "contractAddress", "from", "to", "data", "nonce", "chainId"),
    value: tx.valueBase.toString(),
    gas: tx.gas.toString(),
  };
}
