/** A blockchain network in CAIP-2 form: `eip155:1` is namespace `eip155`, reference `1`. */
export type ChainId = { namespace: string; reference: string };

const CAIP_2 = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32})$/;

/** Reads a CAIP-2 chain id by that standard's grammar; null when the text is none. Says nothing of whether the chain is known. */
export function parseChainId(text: string): ChainId | null {
  const [, namespace, reference] = CAIP_2.exec(text) ?? [];
  return namespace === undefined || reference === undefined ? null : { namespace, reference };
}

/** The chains of development nodes, the sandbox's among them: live mode never pays there. */
export const DEVELOPMENT_CHAINS: readonly string[] = ["eip155:31337", "eip155:1337"];
