import {
  createContractInput,
  createSafeInput,
  deploymentPage,
  oneDeployment,
  renderDeployment,
  renderSignedTx,
} from "#contract/console/safes.ts";
import { renderHistory, renderPayment } from "#contract/console/settlement.ts";
import { readWalk, renderWalked } from "#contract/console/walk.ts";
import { isId } from "#domain/ids.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { browseDeployments } from "#server/services/safes/browse-deployments.ts";
import { createSafe } from "#server/services/safes/create-safe.ts";
import { createSafeContract } from "#server/services/safes/create-safe-contract.ts";
import { readDeployment } from "#server/services/safes/read-deployment.ts";

const deploy = operatorProcedure("administer");
/** Keys of the console name its own requests, never those of the surface. */
const PATH = "console:safes";

/** Safes and the contracts they stand on: what was asked for, how far it came, and asking for more. */
export const safesRouter = router({
  list: operatorProcedure()
    .input(deploymentPage)
    .query(async ({ ctx: { services }, input }) => {
      const { kind, state, chain, ...walk } = input;
      const filter = { ...(kind && { kind }), ...(state && { state }), ...(chain && { chain }) };
      const page = await browseDeployments(services, { filter, ...readWalk(walk, (id) => isId("safeDeployment", id)) });
      return renderWalked(page, renderDeployment);
    }),

  byId: operatorProcedure()
    .input(oneDeployment)
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
  create: deploy.input(createSafeInput).mutation(async ({ ctx: { services, by }, input }) => {
    const { chain, owners, threshold, version = "1.4.1" } = input.safe;
    const wish = { by, path: PATH, idempotencyKey: input.request_key };
    return renderDeployment(await createSafe(services, { ...wish, chain, owners, threshold, version }));
  }),

  /** Owes one more copy of a contract that Safes stand on. */
  createContract: deploy.input(createContractInput).mutation(async ({ ctx: { services, by }, input }) => {
    const { request_key: idempotencyKey, ...order } = input;
    return renderDeployment(await createSafeContract(services, { by, path: PATH, idempotencyKey, ...order }));
  }),
});
