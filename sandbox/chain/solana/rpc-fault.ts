/** An answer `error` of JSON-RPC, with the codes that Solana's nodes use. */
export class RpcFault extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string) => new RpcFault(-32602, `Invalid params: ${message}`);
export const preflightFailure = (message: string, data: unknown) => new RpcFault(-32002, `Transaction simulation failed: ${message}`, data);
export const badSignature = () => new RpcFault(-32003, "Transaction signature verification failure");
export const noBlock = (slot: number) => new RpcFault(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
export const cleanedUp = (slot: number, first: number) =>
  new RpcFault(-32001, `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`);
export const unknownMethod = () => new RpcFault(-32601, "Method not found");
