import { Trouble } from "./exit.ts";
import type { Profile } from "./profile.ts";
import { readMode } from "./service.ts";

/** @throws Trouble where money could move. */
export async function placesOf(profile: Profile, signal: AbortSignal): Promise<NonNullable<Profile["sandbox"]>> {
  if ((await readMode(profile, signal)) === "live")
    throw new Trouble("This is not a sandbox, or does not say that it is. The command works only in a sandbox.");
  if (profile.sandbox === null)
    throw new Trouble('The profile does not have the sandbox\'s wallets and receivers. Run "settle login --sandbox" to read them.');
  return profile.sandbox;
}
