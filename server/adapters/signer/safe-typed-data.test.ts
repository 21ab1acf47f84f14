import { type Hex, hashTypedData, keccak256, recoverTypedDataAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount, sign } from "viem/accounts";
import { encodeAbiParameters } from "viem/utils";
import { expect, it } from "vitest";
import { digestSigner } from "./digest-signer.ts";
import { localKeySigner } from "./local-key.ts";
import { safeTypedData } from "./safe-typed-data.ts";

const KEY = generatePrivateKey();
const ACCOUNT = privateKeyToAccount(KEY);
const TRANSACTION = {
  chainId: 1,
  nonce: 7,
  safe: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  data: "0xe318b52b",
};

/** A key behind a narrow door, as a token and a cloud's key service have it. */
const behindADoor = digestSigner("pkcs11", ACCOUNT.address, {
  name: "a key of a test",
  publicKey: async () => Buffer.from(ACCOUNT.publicKey.slice(2), "hex"),
  sign: async (digest) => {
    const { r, s } = await sign({ hash: `0x${Buffer.from(digest).toString("hex")}`, privateKey: KEY });
    return { r: BigInt(r), s: BigInt(s) };
  },
});

it.each([
  ["held in memory", localKeySigner(async () => KEY)],
  ["behind a narrow door", behindADoor],
])("a key %s signs a Safe's transaction, for the Safe to read", async (_, signer) => {
  const signature = (await signer.signSafeTransaction?.(TRANSACTION)) as Hex;
  expect(signature).toMatch(/^0x[0-9a-f]{128}1[bc]$/);
  expect(await recoverTypedDataAddress({ ...safeTypedData(TRANSACTION), signature })).toBe(ACCOUNT.address);
});

it("is hashed as the Safe contracts hash it: by the types that 1.3.0 and 1.4.1 have", () => {
  // DOMAIN_SEPARATOR_TYPEHASH and SAFE_TX_TYPEHASH are constants in the contracts.
  const domainTypehash = "0x47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218";
  const safeTxTypehash = "0xbb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8";
  const words = (types: string[], values: unknown[]) =>
    keccak256(
      encodeAbiParameters(
        types.map((type) => ({ type })),
        values,
      ),
    );
  const domain = words(["bytes32", "uint256", "address"], [domainTypehash, 1n, TRANSACTION.safe]);
  const zero = "0x0000000000000000000000000000000000000000";
  const struct = words(
    ["bytes32", "address", "uint256", "bytes32", "uint8", "uint256", "uint256", "uint256", "address", "address", "uint256"],
    [safeTxTypehash, TRANSACTION.to, 0n, keccak256(TRANSACTION.data as Hex), 0, 0n, 0n, 0n, zero, zero, 7n],
  );
  expect(hashTypedData(safeTypedData(TRANSACTION))).toBe(keccak256(`0x1901${domain.slice(2)}${struct.slice(2)}`));
});
