import type { SignerCap } from "#domain/signer-caps.ts";
import { openDisk } from "#server/adapters/journal/disk.ts";
import { openJournal } from "#server/adapters/journal/open-journal.ts";
import { readOrMakeSealKey } from "#server/adapters/journal/seal-key.ts";
import { openSigners } from "#server/adapters/signer/open-signers.ts";
import type { SignerConfig } from "#server/config/signer.ts";
import type { Signers, SigningKeys } from "#server/ports.ts";
import { aboveCap, derivationOf, type VerifyingPowers } from "./derive.ts";
import type { SignerPowers } from "./desk.ts";
import { localSigners } from "./local-signers.ts";
import { openSeal } from "./seal.ts";

type Settings = Pick<SignerConfig, "chains" | "signingJournal"> & { caps?: readonly SignerCap[] };

/** The treasury's keys, by the settings. None is opened yet. */
export function keysOf({ chains }: Settings): SigningKeys {
  return openSigners(chains);
}

/** The signer in this process, with the keys and the journal of the settings. */
export function signersOf(ctx: SignerPowers & VerifyingPowers, config: Settings, keys: SigningKeys = keysOf(config)): Signers {
  const journal = openJournal(openDisk(config.signingJournal));
  const seal = openSeal(() => readOrMakeSealKey(config.signingJournal));
  return localSigners({ ctx, keys, journal, seal, findUnowed: derivationOf(ctx), findAboveCap: aboveCap(ctx), caps: config.caps ?? [] });
}
