import { listBrowsedByIds } from "#db/queries/settlements/browse-settlements.ts";
import { listPayingAddresses } from "#db/queries/transfers/wallet-addresses.ts";
import { intentOf } from "#domain/evm-intent.ts";
import { isId } from "#domain/ids.ts";
import type { PaymentCost } from "#domain/lapsing-chain.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { TokenInfo } from "#domain/token.ts";
import { checkWalletAddress } from "#domain/wallet-address.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain } from "#server/ports.ts";
import { type AskedCost, isTimeToAsk, type NetworkCost, type RecalledCost, recallCost, rememberCost } from "./recent-costs.ts";

/** For all that is asked together. Without an answer by then the cost is not known. */
const PATIENCE_MS = 2_000;
/** As long as our ids. Every memo has room for it, and its length hardly changes what it costs. */
const REFERENCE = "tx_00000000000000000000000000";
/** Signed, in bytes: what a chain that charges for data reckons with. */
const TRANSFER_BYTES = 180;

/**
 * What the chain would probably take for a payment to this wallet, as it is now: the service pays it, and the recipient gets the net amount. It
 * asks over the network, so it belongs before any transaction. Null: there is no such pair, or no node says so in time.
 *
 * @throws Refusal `invalid_wallet_address` for a malformed address
 */
export async function estimateCost(ctx: Uses<"db" | "chains" | "evm" | "lapsing">, asked: AskedCost): Promise<NetworkCost | null> {
  const { chain, destinationCurrency, walletAddress: recipient } = asked;
  const info = ctx.chains.find(chain);
  const token = info?.tokens.find(({ currency }) => currency === destinationCurrency);
  if (!info || token === undefined) return null;
  refuseMalformed(chain, recipient);
  const cost = await inTime(costOf(ctx, { chain, token, recipient }));
  const paidIn = cost && info.tokens.find(({ address }) => address === cost.fee.token);
  if (!cost || !paidIn) return null;
  const { currency, decimals } = paidIn;
  const found = { amountBase: cost.fee.amountBase, currency, decimals, isNewHolder: cost.isNewHolder };
  rememberCost(ctx.chains, asked, found);
  return found;
}

/**
 * The same without asking, as this process found it in the last minute; null: it did not. Where it lacks something, it asks for the next one,
 * in the background and seldom, so that nobody waits for it. `ctx` has no transaction.
 */
export function knownCost(ctx: Uses<"db" | "chains" | "evm" | "lapsing">, asked: AskedCost): RecalledCost | null {
  const found = recallCost(ctx.chains, asked);
  if (found === null || found.isNewHolder === null) {
    if (isTimeToAsk(ctx.chains, asked)) void estimateCost(ctx, asked).catch(() => null);
  }
  return found;
}

/**
 * Estimates a payment of each token to a wallet that holds it, before a process takes requests. This also loads the code that asks nodes, which
 * would otherwise stop the first quotes for 0.1 to 0.2 s. Never fails, and takes about two seconds at most.
 */
export async function learnCosts(ctx: Uses<"db" | "chains" | "evm" | "lapsing">): Promise<void> {
  const learn = async ({ chain, tokens }: { chain: string; tokens: readonly TokenInfo[] }) => {
    const [walletAddress] = await listPayingAddresses(ctx.db, chain);
    if (walletAddress === undefined) return;
    await Promise.all(tokens.map(({ currency }) => estimateCost(ctx, { chain, destinationCurrency: currency, walletAddress })));
  };
  await inTime(Promise.all(ctx.chains.list().map(learn)));
}

type Paid = { chain: string; token: TokenInfo; recipient: string };

async function costOf(
  { db, evm, lapsing }: Uses<"db" | "evm" | "lapsing">,
  { chain, token, recipient }: Paid,
): Promise<PaymentCost | null> {
  const known = evm.find(chain);
  const nodes = lapsing.find(chain)?.nodes ?? [];
  if (known === null && nodes.length === 0) return null;
  const [sender] = await listPayingAddresses(db, chain);
  if (sender === undefined) return null;
  if (known !== null) return await costOnEvm(known, { sender, recipient, token });
  const intent = { sender, recipient, token: token.address, amountBase: 1n, reference: REFERENCE };
  return await Promise.any(nodes.map(async (node) => (await node.costOf?.(intent)) ?? null));
}

async function costOnEvm({ nodes, dataFee }: EvmChain, paid: Omit<Paid, "chain"> & { sender: string }): Promise<PaymentCost | null> {
  const { sender, recipient, token } = paid;
  const [node] = nodes;
  const head = await node?.block("latest");
  if (node === undefined || !head) return null;
  const intent = intentOf({ call: null, tokenAddress: token.address, recipient, amountBase: 1n });
  const [trial, tip, held, forData] = await Promise.all([
    node.simulate(sender, intent),
    node.tip(),
    node.balance(recipient, token.address, head.height),
    dataFee === null ? 0n : node.dataFee(TRANSFER_BYTES),
  ]);
  if (trial.outcome !== "passes") return null;
  const amountBase = trial.gas * (head.baseFeePerGas + tip) + forData;
  return { fee: { token: null, amountBase }, isNewHolder: held === 0n };
}

/** What a settlement's payment will probably take, of this partner where given. Null: it is over, or no node says so in time. */
export async function costOfSettlement(
  ctx: Uses<"db" | "chains" | "evm" | "lapsing">,
  { id, partnerId }: { id: string; partnerId?: string },
): Promise<RecalledCost | null> {
  const [found] = isId("settlement", id) ? await listBrowsedByIds(ctx.db, [id], partnerId) : [];
  if (found === undefined) throw new Refusal("settlement_not_found");
  const { status, chain, destinationCurrency, walletAddress } = found.settlement;
  if (status !== "quoted" && status !== "processing") return null;
  const asked = { chain, destinationCurrency, walletAddress };
  const known = recallCost(ctx.chains, asked);
  return known === null || known.isNewHolder === null ? await estimateCost(ctx, asked) : known;
}

function refuseMalformed(chain: string, address: string): void {
  try {
    checkWalletAddress({ chain, address, refused: [] });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message, code } = error;
    throw new Refusal("invalid_wallet_address", { detail: message, errors: [{ parameter: "wallet_address", code, message }] });
  }
}

/** Null where it fails or takes too long. */
async function inTime<Found>(asking: Promise<Found>): Promise<Found | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  return await Promise.race([asking.catch(() => null), patience]).finally(() => clearTimeout(timer));
}
