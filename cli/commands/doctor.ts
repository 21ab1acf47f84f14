import { only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { examine, type Finding, fault, ok, warning } from "#cli/examine.ts";
import { examineCallback } from "#cli/examine-callback.ts";
import { printFindings } from "#cli/findings.ts";
import { isOpenToOthers, type Profile, profilePath } from "#cli/profile.ts";
import { readMode } from "#cli/service.ts";
import { Refused, SettlementError } from "#sdk/typescript/src/index.ts";

export const doctor = defineCommand({
  name: "doctor",
  summary: "Diagnose problems: reachability, clock, key, signature, limits, callbacks",
  usage: "[--callback-url URL]",
  options: {
    "callback-url": { type: "string", value: "URL", about: "Have the sandbox call this URL instead of its own receiver" },
    "no-callback": { type: "boolean", about: "Skip the callback test and create nothing" },
  },
  notes: [
    "In a sandbox it settles the pair's minimum to an unused wallet, and waits for the callback. In live mode it creates nothing.",
    "Exit code 0: no faults. 4: a fault, and the message says what to correct.",
  ],
  async run({ values, positionals, out, profile, env, signal }) {
    only(positionals);
    const who = profile();
    const found: Finding[] = [judgeFile(profilePath(env)), ...(await examine(who, signal))];
    if (found.at(-1)?.check === "rate limit") {
      found.push(await examineRights(who, signal));
      found.push(values["no-callback"] === true ? leftOut("Not requested.") : await callbacks(who, values["callback-url"], signal));
    }
    return printFindings(out, found);
  },
});

const leftOut = (message: string): Finding => ({ check: "callbacks", state: "left out", message });

function judgeFile(path: string): Finding {
  return isOpenToOthers(path)
    ? warning("profile", `Others on this machine can read ${path} and the secret in it. Run chmod 600.`)
    : ok("profile", `Only you can read ${path}.`);
}

async function examineRights(profile: Profile, signal: AbortSignal): Promise<Finding> {
  try {
    const pairs = await clientOf(profile, { attempts: 1 }).prices.pairs({ signal });
    const up = pairs.filter(({ quoting }) => quoting === "up").length;
    return up === 0
      ? warning("quoting", `None of the ${pairs.length} pairs is quoted at the moment.`)
      : ok("quoting", `${up} of ${pairs.length} pairs are quoted.`);
  } catch (error) {
    return fault(
      "quoting",
      `The pairs cannot be read: ${Refused.is(error, "scope_missing") ? "the key lacks the scope settlements:read" : whatWas(error)}.`,
    );
  }
}

async function callbacks(profile: Profile, url: string | undefined, signal: AbortSignal): Promise<Finding> {
  if ((await readMode(profile, signal)) === "live") return leftOut("This is not a sandbox, so no test settlement is made.");
  try {
    return await examineCallback(profile, url, signal);
  } catch (error) {
    return fault("callbacks", `No callback could be tested: ${whatWas(error)}.`);
  }
}

/** What the service or the way to it did not do. @throws what is neither. */
function whatWas(error: unknown): string {
  if (!(error instanceof SettlementError)) throw error;
  return error.message.replace(/\.$/, "");
}
