import { numberToHex } from "viem/utils";
import { z } from "zod";
import { jsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import { type EvmTransaction, Rejected, type Signer } from "#server/ports.ts";
import { type ClientCertificate, certifiedFetch } from "./certified-fetch.ts";

const SIGNING_TIMEOUT_MS = 10_000;
const hex = z.string().regex(/^0x[0-9a-fA-F]+$/);
/** Web3signer returns the bytes, other nodes an object that contains them. */
const Signed = z.union([hex, z.object({ raw: hex }).transform(({ raw }) => raw)]);

/** `clientCertificate`: how it knows who asks. */
export type RemoteSettings = { url: string; address: string; clientCertificate?: ClientCertificate | null };

/**
 * A remote signer with `eth_signTransaction` (such as web3signer). Its answer is not trusted: the engine decodes it and compares every
 * field and the sender before storing it.
 *
 * @throws Unreachable, Rejected
 */
export function remoteSigner(settings: RemoteSettings): Signer {
  const certificate = settings.clientCertificate ?? null;
  // Not every signer takes batches.
  const rpc = jsonRpc(settings.url, SIGNING_TIMEOUT_MS, { mostCalls: 1, ...(certificate && { fetch: certifiedFetch(certificate) }) });
  return {
    kind: "remote",
    address: async () => settings.address,
    async signTransaction(unsigned) {
      const answer = Signed.safeParse(await ask(unsigned));
      if (!answer.success) throw new Rejected(`the signer ${rpc.name} answered with something that is no signed transaction`);
      return answer.data;
    },
  };

  async function ask(unsigned: EvmTransaction): Promise<unknown> {
    try {
      return await rpc.call("eth_signTransaction", [request(settings.address, unsigned)]);
    } catch (error) {
      if (error instanceof RpcFault) throw new Rejected(`the signer ${rpc.name} refused: ${error.message}`);
      throw error;
    }
  }
}

/** Without a chain id: web3signer has its own, and the comparison finds a wrong one. */
function request(from: string, unsigned: EvmTransaction) {
  return {
    from,
    ...(unsigned.to ? { to: unsigned.to } : {}),
    gas: numberToHex(unsigned.gasLimit),
    maxFeePerGas: numberToHex(unsigned.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(unsigned.maxPriorityFeePerGas),
    value: numberToHex(unsigned.valueBase),
    nonce: numberToHex(unsigned.nonce),
    data: unsigned.data,
  };
}
