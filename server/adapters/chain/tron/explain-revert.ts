import type { Revert } from "#server/adapters/chain/evm/revert-reason.ts";

/** Why a token refused a transfer, in plain words. Tokens here are written as on EVM chains, and say no in the same words. */
export async function explainTokenRevert(returned: string, sender: string): Promise<Revert> {
  // What reads contracts' words is large, and loaded by the first revert.
  const [{ explainRevert }, { RpcFault }] = await Promise.all([
    import("#server/adapters/chain/evm/revert-reason.ts"),
    import("#server/adapters/chain/json-rpc.ts"),
  ]);
  return explainRevert(new RpcFault(3, "execution reverted", `0x${returned}`), sender);
}
