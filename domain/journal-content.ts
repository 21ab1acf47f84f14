import { createHash, randomBytes } from "node:crypto";

/** What an entry of the signing journal pays, as it is compared with others. */

type Content = { recipient: string; token: string | null; amountBase: bigint };
type Member = { owner: string; recipient: string; amountBase: bigint };
type Paying = Content & { kind: string; owner: string; members?: readonly Member[] | undefined };

/** Whether the entry may pay somebody. */
export const isMoving = ({ kind }: Pick<Paying, "kind">) =>
  kind === "payment" || kind === "packed" || kind === "lapsing" || kind === "lapsing_pack";

/** Whether it moves nothing: from a wallet to itself. */
export const isEmpty = ({ amountBase, token, recipient, wallet }: Content & { wallet: string }) =>
  amountBase === 0n && token === null && recipient.toLowerCase() === wallet.toLowerCase();

/** Whether a packed transaction pays each of its members once, and no more than that together; anything else has none. */
export function isWhole({ kind, owner, members, amountBase }: Paying): boolean {
  if (kind !== "packed" || members === undefined) return kind !== "packed" && members === undefined;
  const owners = new Set([owner, ...members.map((member) => member.owner)]);
  const sum = members.reduce((total, member) => total + member.amountBase, 0n);
  return members.length > 1 && owners.size === members.length + 1 && sum === amountBase;
}

/** All who count as paid by it. */
export const ownersOf = ({ owner, members = [] }: Paying) => [owner, ...members.map((member) => member.owner)];

/** What each member is paid, by owner. */
export const membersOf = ({ token, members = [] }: Paying): ReadonlyMap<string, number> =>
  new Map(members.map(({ owner, recipient, amountBase }) => [owner, contentOf({ recipient, token, amountBase })]));

/** Recipient, token and amount as a number. */
export const contentOf = ({ recipient, token, amountBase }: Content) => numberOf(`${recipient} ${token} ${amountBase}`);

/** Nobody who knows it could make another hash with the same number. */
const SALT = randomBytes(16);

/** A text as a number, to save memory. 52 bits are enough to tell the few attempts under one nonce apart. */
export const numberOf = (text: string) =>
  Number.parseInt(createHash("sha256").update(SALT).update(text.toLowerCase()).digest("hex").slice(-13), 16);
