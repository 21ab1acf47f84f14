import { faultOfRecipient } from "./judge-accounts.ts";
import { type Asked, accountOf, accountsAt, mintOf } from "./read-chain.ts";

/** How many accounts a node answers for at once. Each recipient has two. */
const MOST_ACCOUNTS = 100;

/**
 * Why these recipients cannot be paid, by what the chain has at their addresses and at their accounts for the token; null for those that can.
 * `token` null: the coin. @throws Unreachable, Rejected where no payment may be made in the token
 */
export async function judgeRecipients(asked: Asked, recipients: readonly string[], token: string | null): Promise<(string | null)[]> {
  const mint = token === null ? null : await mintOf(asked, token);
  const places = await Promise.all(
    recipients.map(async (owner) => [owner, token === null || mint === null ? owner : await accountOf(owner, token, mint)] as const),
  );
  const slices = Array.from({ length: Math.ceil((2 * places.length) / MOST_ACCOUNTS) }, (_, at) =>
    places.flat().slice(at * MOST_ACCOUNTS, (at + 1) * MOST_ACCOUNTS),
  );
  const accounts = (await Promise.all(slices.map((addresses) => accountsAt(asked, addresses)))).flat();
  return recipients.map((recipient, place) => {
    const [wallet = null, account = null] = accounts.slice(2 * place, 2 * place + 2);
    return faultOfRecipient(recipient, wallet, token === null ? null : account);
  });
}
