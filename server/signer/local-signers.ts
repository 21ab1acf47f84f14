import { findSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { findSigningJournal } from "#db/queries/transfers/signing-journal.ts";
import { listSigningWallets } from "#db/queries/transfers/wallets.ts";
import { type JournalReading, JournalUnusable } from "#domain/journal.ts";
import type { AllSigners } from "#domain/lapsing-signer.ts";
import { type AdmitAnswer, type AdmitOrder, type OwnWallet, SignerAway, type SwapOrder } from "#domain/signer.ts";
import { type EvmChain, Rejected, type Signer } from "#server/ports.ts";
import { findUnowed as derive } from "#server/services/transfers/find-unowed.ts";
import { listJournalEntries } from "#server/services/transfers/journal-entries.ts";
import { admitToJournal } from "./admit-to-journal.ts";
import { type Desk, type DeskOptions, keyOf, type SignerPowers } from "./desk.ts";
import { FinalHeights } from "./lapsing/final-heights.ts";
import { lapsingSigners } from "./lapsing/lapsing-signers.ts";
import { SentBefore } from "./lapsing/sent-before.ts";
import { signBatch } from "./sign-batch.ts";

const nobody = async () => new Map<string, string | null>();

/** The signer with its keys and its journal in this process. */
export function localSigners({ heartbeat = { last: undefined, beat: () => {} }, ...options }: DeskOptions): AllSigners {
  const desk: Desk = {
    findUnowed: derive,
    findAboveCap: nobody,
    findUnsignedRules: async () => new Map(),
    caps: [],
    ...options,
    fresh: new Map(),
    beginning: null,
    turn: Promise.resolve(),
    finals: new FinalHeights(),
    sentBefore: new SentBefore(heartbeat),
  };
  const { ctx, keys } = desk;
  return {
    of: (chain) => keys.of(chain).map(walletOf),
    async sign(batch) {
      const readState = async () => (await read(desk)).state;
      return await signBatch(desk, chainOf(ctx, batch.chain), readState, batch);
    },
    async admit(chain: string, orders: readonly AdmitOrder[]): Promise<AdmitAnswer[]> {
      const { state } = await read(desk);
      return await admitToJournal(desk, chainOf(ctx, chain), { state, orders });
    },
    async readJournal(chain) {
      const { records, durable, state } = await read(desk);
      return { records, durable, marks: state.marks(chain) };
    },
    signSwap: (order) => signSwap(desk, order),
    lapsing: lapsingSigners(desk, () => read(desk)),
  };
}

function chainOf({ evm }: SignerPowers, chain: string): EvmChain {
  const found = evm.find(chain);
  if (found === null) throw new Rejected(`the signer does not know the chain ${chain}`);
  return found;
}

function walletOf(key: Signer): OwnWallet {
  const { kind, check } = key;
  const signsSafes = key.signSafeTransaction !== undefined;
  return { kind, signsSafes, address: () => key.address(), ...(check === undefined ? {} : { check: () => check.call(key) }) };
}

/** Reads the journal that belongs to the database. The first one of an installation begins with all that the database knows as signed. */
async function read(desk: Desk): Promise<JournalReading> {
  const { ctx, journal } = desk;
  const row = await findSigningJournal(ctx.db);
  if (row === null) throw new SignerAway("The signer does not find its journal's id in the database yet.");
  desk.seal.check();
  if (row.begunAt === null) await begin(desk, row.installation);
  const reading = await journal.read(row.installation);
  if (reading.records < row.records)
    throw new JournalUnusable(
      `The signing journal has ${reading.records} records, and it had ${row.records}: it was cut off, or an older copy is in its place.`,
    );
  return reading;
}

/** All who ask meanwhile wait for the same one: a long history is read once, and takes as long as it takes. */
async function begin(desk: Desk, installation: string): Promise<void> {
  const { ctx, journal } = desk;
  desk.beginning ??= listJournalEntries(ctx.db)
    .then((entries) => journal.begin(installation, entries))
    .finally(() => {
      desk.beginning = null;
    });
  await desk.beginning;
}

/**
 * Signs that a Safe gets another of our wallets as its owner. Somebody must have asked for this swap, for this Safe and this owner,
 * and the new owner must be a wallet whose key is here and which may sign.
 */
async function signSwap(desk: Desk, { chain: name, deploymentId, safe, to }: SwapOrder) {
  const { ctx } = desk;
  const chain = chainOf(ctx, name);
  const found = await findSafeDeployment(ctx.db, deploymentId);
  const [from] = found?.owners ?? [];
  const isAsked = found?.kind === "owner_swap" && found.state === "asked" && found.chain === name;
  if (!isAsked || from === undefined || found.address?.toLowerCase() !== safe.address.toLowerCase())
    throw new Rejected(`nobody has asked for the swap ${deploymentId}`);
  const signing = await listSigningWallets(ctx.db, name);
  if (!signing.includes(to) || (await keyOf(desk, name, to)) === null) throw new Rejected(`${to} is no wallet that may own a Safe`);
  const key = await keyOf(desk, name, from);
  if (key?.signSafeTransaction === undefined) throw new Rejected(`no key that signs Safe transactions is here for ${from}`);
  const transaction = await chain.safes.swapOwner({ safe, chainId: chain.chainId, from, to });
  return { transaction, signature: await key.signSafeTransaction(transaction) };
}
