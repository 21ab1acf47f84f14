import { Trouble } from "./exit.ts";
import type { Profile } from "./profile.ts";
import { readMode } from "./service.ts";

/** @throws Trouble where money could move. */
export async function placesOf(profile: Profile, signal: AbortSignal): Promise<NonNullable<Profile["sandbox"]>> {
  if ((await readMode(profile, signal)) === "live")
    throw new Trouble("This is no sandbox, or does not say so: nothing is brought about here.");
  if (profile.sandbox === null)
    throw new Trouble('The profile does not know the sandbox\'s wallets and receivers: "settle login --sandbox" reads them.');
  return profile.sandbox;
}
