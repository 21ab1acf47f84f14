import { type AddressQuestion, ISSUER_QUESTIONS, type IssuerQuestion, type ScreeningSource, type Word } from "#domain/screening.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";
import { type Source, silence } from "./source.ts";

/** Real time. */
export type Keeping = {
  /** How long an answer is believed without asking again. */
  answerMs: number;
  /** How long to skip a source after a missing answer. */
  silenceMs: number;
};
const KEEPING: Keeping = { answerMs: 10_000, silenceMs: 2_000 };
/** How many of a chain's nodes are asked, at once. */
const MOST_NODES = 2;
/** How much longer than the first node the second is waited for. */
const GRACE_MS = 300;
const MOST_KEPT = 10_000;
/** While a query is pending for this long, no further ones are added to it. */
const STUCK_MS = 2_000;

type Contract = { kind: ScreeningSource; chain: EvmChain; address: string };
/** One node's answers about some addresses: yes, no, or null where the contract has none. */
type Said = { block: number; answers: (boolean | null)[] };

/** A sanctions oracle: `isSanctioned(address)`. It covers every payment on its chain. */
export function oracleSource(chain: EvmChain, address: string, keeping?: Partial<Keeping>): Source {
  return contractSource({ kind: "oracle", chain, address }, () => ["isSanctioned"], keeping);
}

/**
 * The blocklist of a token's issuer. `question` null: found by trying. A function that answers is used from then on; a token without any is
 * tried again, since a node may have been wrong about it.
 */
export function issuerSource(chain: EvmChain, token: string, question: IssuerQuestion | null, keeping?: Partial<Keeping>): Source {
  let known = question;
  const questions = () => (known === null ? ISSUER_QUESTIONS : [known]);
  const learn = (answered: AddressQuestion) => {
    known = ISSUER_QUESTIONS.find((one) => one === answered) ?? known;
  };
  return contractSource({ kind: "issuer", chain, address: token }, questions, keeping, { isOptional: () => known === null, learn });
}

type Learning = { isOptional(): boolean; learn(answered: AddressQuestion): void };
const NOTHING_TO_LEARN: Learning = { isOptional: () => false, learn: () => {} };

function contractSource(
  contract: Contract,
  questions: () => readonly AddressQuestion[],
  keeping: Partial<Keeping> = {},
  learning = NOTHING_TO_LEARN,
): Source {
  const { kind, chain, address: name } = contract;
  const { answerMs, silenceMs } = { ...KEEPING, ...keeping };
  const kept = new Map<string, { word: Word | null; until: number }>();
  const open = new Set<{ since: number }>();
  let silentSince: Date | null = null;
  let unknownSince: Date | null = null;

  function keep(address: string, word: Word | null): Word | null {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(address.toLowerCase(), { word, until: performance.now() + (word?.answer === "silent" ? silenceMs : answerMs) });
    return word;
  }
  function find(address: string) {
    const one = kept.get(address.toLowerCase());
    return one === undefined || one.until < performance.now() ? null : one;
  }
  async function ask(addresses: readonly string[]): Promise<(Word | null)[]> {
    const known = new Map<string, Word | null>();
    for (const address of addresses) {
      const found = find(address);
      if (found !== null) known.set(address.toLowerCase(), found.word);
    }
    const unknown = [...new Set(addresses.map((address) => address.toLowerCase()).filter((address) => !known.has(address)))];
    const said = unknown.length === 0 ? [] : await askNow(unknown);
    for (const [index, address] of unknown.entries()) known.set(address, said[index] ?? null);
    return addresses.map((address) => known.get(address.toLowerCase()) ?? null);
  }
  async function askNow(addresses: readonly string[]): Promise<(Word | null)[]> {
    const isStuck = [...open].some(({ since }) => performance.now() - since > STUCK_MS);
    if (isStuck) return addresses.map(() => silence({ kind, name }, "it has not answered what it was asked before"));
    const asked = questions();
    const asking = { since: performance.now() };
    open.add(asking);
    const nodes = chain.nodes.slice(0, MOST_NODES);
    const said = await askNodes(nodes, (node) => askOne(node, name, asked, addresses)).finally(() => open.delete(asking));
    silentSince = said.length > 0 ? null : (silentSince ?? new Date());
    const isUnknown =
      !learning.isOptional() && said.every(({ byQuestion }) => [...byQuestion.values()].flat().every((one) => one === null));
    if (said.length > 0) unknownSince = isUnknown ? (unknownSince ?? new Date()) : null;
    const askedAt = new Date();
    return addresses.map((address, index) => {
      const words = said.flatMap(({ node, block, byQuestion }) =>
        asked.flatMap((question) => {
          const answer = byQuestion.get(question)?.[index] ?? null;
          return answer === null ? [] : [{ node, block, question, answer }];
        }),
      );
      const word = words.find(({ answer }) => answer) ?? words[0];
      if (word === undefined) {
        if (said.length > 0 && learning.isOptional()) return keep(address, null);
        return keep(address, silence({ kind, name }, said.length > 0 ? "there is no such contract" : "no node answered"));
      }
      learning.learn(word.question);
      const detail = `${word.question}, by ${[...new Set(words.map(({ node }) => node))].join(" and ")}`;
      const answer = word.answer ? "hit" : "clear";
      return keep(address, { kind, source: name, answer, block: word.block, version: null, detail, askedAt });
    });
  }
  return {
    kind,
    name,
    covers: (destination) =>
      destination.chain === chain.chain && (kind === "oracle" || destination.tokenAddress?.toLowerCase() === name.toLowerCase()),
    ask,
    trouble: () => {
      const place = `${name} on ${chain.chain}`;
      if (silentSince !== null) return `${place} has not answered since ${silentSince.toISOString()}.`;
      if (unknownSince === null) return null;
      return `${place} knows no ${questions().join(" or ")} (since ${unknownSince.toISOString()}): every payment that it is asked about waits.`;
    },
  };
}

type NodeWord = { node: string; block: number; byQuestion: Map<AddressQuestion, Said["answers"]> };

/** All in one turn, so that they go out as one batch. @throws Unreachable, EvmRejected */
async function askOne(
  node: EvmNode,
  contract: string,
  questions: readonly AddressQuestion[],
  addresses: readonly string[],
): Promise<NodeWord> {
  const answers = questions.map(async (question) => {
    return [question, await Promise.all(addresses.map((address) => node.askAbout(contract, question, address)))] as const;
  });
  const [block, ...byQuestion] = await Promise.all([node.height(), ...answers]);
  return { node: node.name, block, byQuestion: new Map(byQuestion) };
}

/** The answers of the nodes that answer; a slow second one is not awaited for much longer than the first. */
async function askNodes(nodes: readonly EvmNode[], ask: (node: EvmNode) => Promise<NodeWord>): Promise<NodeWord[]> {
  const said: NodeWord[] = [];
  const asked = nodes.map(async (node) => {
    said.push(await ask(node));
  });
  const first = Promise.any(asked).then(
    () => new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref()),
    () => {},
  );
  await Promise.race([Promise.allSettled(asked), first]);
  return [...said];
}
