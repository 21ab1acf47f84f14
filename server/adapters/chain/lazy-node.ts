import type { LapsingNode } from "#domain/lapsing-chain.ts";

/** A node whose code is loaded at its first use: what makes and reads a family's bytes takes tens of megabytes, and most processes never ask. `has`: what the family's nodes can do beyond the others. */
export function lazyNode(url: string, load: () => Promise<LapsingNode>, has: { judgesRecipients?: true } = {}): LapsingNode {
  let loading: Promise<LapsingNode> | null = null;
  function node(): Promise<LapsingNode> {
    loading ??= load();
    return loading;
  }
  return {
    name: new URL(url).host,
    identity: async () => (await node()).identity(),
    double: async () => (await (await node()).double?.()) ?? null,
    findUnfit: async () => (await (await node()).findUnfit?.()) ?? null,
    finalPoint: async () => (await node()).finalPoint(),
    prepare: async (intent) => (await node()).prepare(intent),
    simulate: async (unsigned) => (await node()).simulate(unsigned),
    ...(has.judgesRecipients && {
      judgeRecipients: async (recipients: readonly string[], token: string | null) =>
        (await (await node()).judgeRecipients?.(recipients, token)) ?? recipients.map(() => null),
    }),
    costOf: async (intent) => (await (await node()).costOf?.(intent)) ?? null,
    balance: async (...holder) => (await node()).balance(...holder),
    send: async (raw) => (await node()).send(raw),
    find: async (attempt) => (await node()).find(attempt),
    listSent: async (query) => (await node()).listSent(query),
  };
}
