import type { AllSigners, LapsingKeys } from "#domain/lapsing-signer.ts";
import type { SignerCap } from "#domain/signer-caps.ts";
import { openDisk } from "#server/adapters/journal/disk.ts";
import { openHeartbeat } from "#server/adapters/journal/heartbeat.ts";
import { openJournal } from "#server/adapters/journal/open-journal.ts";
import { readOrMakeSealKey } from "#server/adapters/journal/seal-key.ts";
import { openLapsingKeys } from "#server/adapters/signer/open-lapsing-keys.ts";
import { openSigners } from "#server/adapters/signer/open-signers.ts";
import type { SignerConfig } from "#server/config/signer.ts";
import type { SigningKeys } from "#server/ports.ts";
import { aboveCap, derivationOf, unsignedRules, type VerifyingPowers } from "./derive.ts";
import type { SignerPowers } from "./desk.ts";
import { localSigners } from "./local-signers.ts";
import { openSeal } from "./seal.ts";

type Settings = Pick<SignerConfig, "chains" | "signingJournal"> & { caps?: readonly SignerCap[]; acceptedRules?: ReadonlySet<string> };

/** The treasury's keys, of every family of chains. */
export type TreasuryKeys = { evm: SigningKeys; lapsing: LapsingKeys };

/** The treasury's keys, by the settings. None is opened yet. */
export function keysOf({ chains }: Settings): TreasuryKeys {
  return { evm: openSigners(chains.filter(({ family }) => family === "evm")), lapsing: openLapsingKeys(chains) };
}

/** The signer in this process, with the keys and the journal of the settings. */
export function signersOf(
  ctx: SignerPowers & VerifyingPowers,
  config: Settings,
  { evm: keys, lapsing: lapsingKeys }: TreasuryKeys = keysOf(config),
): AllSigners {
  const heartbeat = openHeartbeat(config.signingJournal);
  const journal = openJournal(openDisk(config.signingJournal));
  const seal = openSeal(() => readOrMakeSealKey(config.signingJournal));
  const judges = {
    findUnowed: derivationOf(ctx),
    findAboveCap: aboveCap(ctx),
    findUnsignedRules: unsignedRules(ctx, config.acceptedRules ?? new Set()),
  };
  return localSigners({ ctx, keys, lapsingKeys, journal, seal, ...judges, caps: config.caps ?? [], heartbeat });
}
