import { openDisk } from "#server/adapters/journal/disk.ts";
import { openJournal } from "#server/adapters/journal/open-journal.ts";
import { readOrMakeSealKey } from "#server/adapters/journal/seal-key.ts";
import { openSigners } from "#server/adapters/signer/open-signers.ts";
import type { WorkerConfig } from "#server/config.ts";
import type { Signers } from "#server/ports.ts";
import { derivationOf, type VerifyingPowers } from "./derive.ts";
import type { SignerPowers } from "./desk.ts";
import { localSigners } from "./local-signers.ts";
import { openSeal } from "./seal.ts";

/** The signer in this process, with the keys and the journal of the settings. */
export function signersOf(ctx: SignerPowers & VerifyingPowers, config: Pick<WorkerConfig, "chains" | "signingJournal">): Signers {
  const journal = openJournal(openDisk(config.signingJournal));
  const seal = openSeal(() => readOrMakeSealKey(config.signingJournal));
  return localSigners({ ctx, keys: openSigners(config.chains), journal, seal, findUnowed: derivationOf(ctx) });
}
