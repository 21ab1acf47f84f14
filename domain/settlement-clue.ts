/** What a pasted text may be looked up as. */
export type ClueKind = "tx_id" | "tx_hash" | "wallet" | "external_id" | "merchant";

export type Recognised = {
  /** What is looked for first, by the form of the text. */
  kind: ClueKind;
  text: string;
};

const TX_ID = /tx_[0-9a-z]{26}/i;
const HASH = /0x[0-9a-f]{64}/i;
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
const CAIP_10 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}:([-.%a-zA-Z0-9]{1,128})$/;
/** Base58 and bech32 addresses. Many a reference looks so too: then the reference is tried next. */
const OTHER_ADDRESS = /^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|T[1-9A-HJ-NP-Za-km-z]{33}|(?:bc1|tb1)[0-9a-z]{20,87})$/;

/** What a text that somebody pasted probably is; also out of a link to an explorer. Null: nothing to look for. */
export function recognise(pasted: string): Recognised | null {
  const text = pasted.trim();
  if (text === "") return null;
  const txId = TX_ID.exec(text)?.[0];
  if (txId !== undefined && (txId.length === text.length || text.includes("/"))) return { kind: "tx_id", text: txId.toLowerCase() };
  const hash = HASH.exec(text)?.[0];
  if (hash !== undefined && (hash.length === text.length || text.includes("/"))) return { kind: "tx_hash", text: hash.toLowerCase() };
  const account = CAIP_10.exec(text)?.[1];
  if (account !== undefined) return { kind: "wallet", text: account };
  if (EVM_ADDRESS.test(text)) return { kind: "wallet", text };
  const linked = /\/(?:address|account)\/([^/?#]+)/.exec(text)?.[1];
  if (linked !== undefined) return { kind: "wallet", text: linked };
  return { kind: OTHER_ADDRESS.test(text) ? "wallet" : "external_id", text };
}
