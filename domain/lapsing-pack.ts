import type { LapsingIntent, LapsingPacking } from "./lapsing-chain.ts";

/**
 * Why these payments cannot go into one transaction of a chain whose payments lapse; null: they can. A recipient appears once, so that what it
 * received is its own payment.
 */
export function lapsingPackFault(payments: readonly LapsingIntent[], packing: LapsingPacking): string | null {
  const [first] = payments;
  if (first === undefined || payments.length < 2) return "A packed transaction has two members at least.";
  if (first.token === null || payments.some(({ token, sender }) => token !== first.token || sender !== first.sender))
    return "They are not payments of one token by one wallet.";
  const recipients = new Set(payments.map(({ recipient }) => recipient));
  if (recipients.size < payments.length) return "Two members have the same recipient.";
  if (recipients.has(first.sender) || recipients.has(first.token)) return "A member's recipient keeps nothing of what it gets.";
  if (payments.some(({ amountBase, members }) => amountBase <= 0n || members !== undefined)) return "A member is no plain payment.";
  const size = payments.reduce((sum, payment) => sum + packing.sizeOf(payment), 0);
  return payments.length <= packing.most && size <= packing.room ? null : "They do not fit into one transaction.";
}

/** The intent that pays all of them, in this order. Its recipient is its own wallet: if bytes leave out the members, no money leaves. */
export function packIntent(payments: readonly LapsingIntent[]): LapsingIntent {
  const [first] = payments;
  if (first === undefined) throw new Error("nothing is packed");
  const { sender, token } = first;
  return {
    sender,
    recipient: sender,
    token,
    amountBase: payments.reduce((sum, { amountBase }) => sum + amountBase, 0n),
    reference: "",
    members: payments.map(({ recipient, amountBase, reference }) => ({ recipient, amountBase, reference })),
  };
}

/**
 * Puts payments into groups that one transaction each may make, in their order: of one token and one wallet, each recipient once. What finds no
 * company is in no group.
 */
export function packGroups<One extends { intent: LapsingIntent }>(payments: readonly One[], packing: LapsingPacking): One[][] {
  const groups: { members: One[]; recipients: Set<string>; size: number }[] = [];
  for (const payment of payments) {
    const { intent } = payment;
    if (intent.token === null || intent.members !== undefined) continue;
    const size = packing.sizeOf(intent);
    const free = groups.find(
      ({ members: [head], members, recipients, ...group }) =>
        head?.intent.token === intent.token &&
        head.intent.sender === intent.sender &&
        members.length < packing.most &&
        !recipients.has(intent.recipient) &&
        group.size + size <= packing.room,
    );
    const group = free ?? { members: [], recipients: new Set<string>(), size: 0 };
    if (free === undefined) groups.push(group);
    group.members.push(payment);
    group.recipients.add(intent.recipient);
    group.size += size;
  }
  return groups.flatMap(({ members }) => (members.length > 1 ? [members] : []));
}
