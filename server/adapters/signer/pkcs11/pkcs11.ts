import { type DigestKey, digestSigner } from "#server/adapters/signer/digest-signer.ts";
import { Rejected, type Signer } from "#server/ports.ts";
import { Token, type TokenSettings } from "./token.ts";

/** A wallet's key in a token: `key` is the label that its private and its public half have there. */
export type Pkcs11Settings = TokenSettings & { key: string; address: string };

/** Opens signers over tokens; wallets of one token share its one session. */
export function tokenSigners(): (settings: Pkcs11Settings) => Signer {
  const tokens = new Map<string, Token>();
  return ({ key, address, ...settings }) => {
    const place = JSON.stringify([settings.library, settings.token, settings.pin]);
    const token = tokens.get(place) ?? new Token(settings);
    tokens.set(place, token);
    return digestSigner("pkcs11", address, keyIn(token, key));
  };
}

function keyIn(token: Token, key: string): DigestKey {
  const name = `the key ${key} of ${token.name}`;
  return {
    name,
    publicKey: async () => Buffer.from(await token.ask(key, null), "hex"),
    async sign(digest) {
      const hex = await token.ask(key, Buffer.from(digest).toString("hex"));
      if (hex.length !== 128) throw new Rejected(`${name} answered with something that is no signature`);
      return { r: BigInt(`0x${hex.slice(0, 64)}`), s: BigInt(`0x${hex.slice(64)}`) };
    },
  };
}
