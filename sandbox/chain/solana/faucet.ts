import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";
import { associatedAccount, createAccount } from "#server/adapters/chain/solana/instructions.ts";
import type { Cluster } from "./cluster.ts";
import { readIncoming } from "./runtime.ts";
import { addressOfMint, bytesOfMint, createMint, little, TEST_MINTS, type TestMint, testKey } from "./test-mints.ts";

const FAUCET_LAMPORTS = 1_000_000_000_000_000n;

/** The local cluster's giver: it owns every test mint, and does what the mint's issuer could do. */
export type Faucet = {
  /** Lamports, and tokens in base units by the name of their mint. */
  fund(owner: string, lamports: bigint, tokens: Readonly<Record<string, bigint>>): Promise<void>;
  /** Freezes or thaws an owner's account for a token. */
  freeze(owner: string, mint: string, isFrozen: boolean): Promise<void>;
};

/** Creates the mints where they are missing. */
export async function openFaucet(cluster: Cluster): Promise<Faucet> {
  const issuer = await testKey("issuer");
  if (cluster.runtime.account(issuer.address) === null) cluster.airdrop(issuer.address, FAUCET_LAMPORTS);
  const missing: TestMint[] = [];
  for (const mint of TEST_MINTS) if (cluster.runtime.account(await addressOfMint(mint.name)) === null) missing.push(mint);
  for (const mint of missing) {
    const key = await testKey(`mint ${mint.name}`);
    const rent = cluster.runtime.rentFor(bytesOfMint(mint));
    await carryOut(cluster, createMint(mint, { mint: key.address, authority: issuer.address, rent }), [issuer, key]);
  }

  async function placeOf(name: string) {
    const mint = TEST_MINTS.find((one) => one.name === name);
    if (mint === undefined) throw new Error(`there is no test mint ${name}`);
    return { mint: await addressOfMint(name), tokenProgram: SOLANA_PROGRAMS[mint.program] as Address, decimals: mint.decimals };
  }

  return {
    async fund(owner, lamports, tokens) {
      if (lamports > 0n) cluster.airdrop(owner, lamports);
      for (const [name, amount] of Object.entries(tokens)) {
        const place = await placeOf(name);
        const account = await associatedAccount(owner as Address, place);
        const create = createAccount(place, { payer: issuer.address, owner: owner as Address, account });
        const mintTo: Instruction = {
          programAddress: place.tokenProgram,
          accounts: [
            { address: place.mint, role: AccountRole.WRITABLE },
            { address: account, role: AccountRole.WRITABLE },
            { address: issuer.address, role: AccountRole.READONLY_SIGNER },
          ],
          data: Uint8Array.from([7, ...little(amount, 8)]),
        };
        await carryOut(cluster, amount > 0n ? [create, mintTo] : [create], [issuer]);
      }
    },
    async freeze(owner, name, isFrozen) {
      const place = await placeOf(name);
      const account = await associatedAccount(owner as Address, place);
      const instruction: Instruction = {
        programAddress: place.tokenProgram,
        accounts: [
          { address: account, role: AccountRole.WRITABLE },
          { address: place.mint, role: AccountRole.READONLY },
          { address: issuer.address, role: AccountRole.READONLY_SIGNER },
        ],
        data: Uint8Array.of(isFrozen ? 10 : 11),
      };
      await carryOut(cluster, [instruction], [issuer]);
    },
  };
}

/** Puts the instructions into the next block. @throws Error when they fail */
async function carryOut(
  cluster: Cluster,
  instructions: readonly Instruction[],
  signers: readonly [KeyPairSigner, ...KeyPairSigner[]],
): Promise<void> {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayer(signers[0].address, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: cluster.tip.hash as Blockhash, lastValidBlockHeight: 0n }, one),
    (one) => appendTransactionMessageInstructions(instructions, one),
  );
  const signed = await partiallySignTransaction(
    signers.map(({ keyPair }) => keyPair),
    compileTransaction(message),
  );
  const incoming = readIncoming(getBase64EncodedWireTransaction(signed));
  cluster.produceWith(incoming);
  const landed = cluster.landed.get(incoming.signature);
  if (landed === undefined || landed.fault !== null)
    throw new Error(`the faucet failed: ${JSON.stringify(landed?.fault ?? "in no block")} ${landed?.logs.join(" ")}`);
}
