import { SAFE_DEPLOYMENT_KINDS, SAFE_DEPLOYMENT_STATES } from "#domain/safe-deployment.ts";
import { oneOf } from "../../../_components/lists/address-params.ts";
import { given, listParams, type ParamsOf } from "../../../_components/lists/list-params.ts";

export const DEPLOYMENTS = listParams({
  kind: oneOf(SAFE_DEPLOYMENT_KINDS),
  state: oneOf(SAFE_DEPLOYMENT_STATES),
});

/** The page for the procedure. */
export function pageOf(params: ParamsOf<typeof DEPLOYMENTS>) {
  return { ...given({ kind: params.kind, state: params.state }), ...DEPLOYMENTS.walkOf(params) };
}
