import { only, wholeNumber } from "#cli/arguments.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { aligned } from "#cli/out.ts";
import { moveClock, readSandboxClock } from "#cli/sandbox-clock.ts";
import { placesOf } from "#cli/sandbox-places.ts";

export const clock = defineCommand({
  name: "clock",
  summary: "Read the sandbox's clock, or move it ahead so that quotes expire and callbacks come due",
  usage: "[--advance SECONDS]",
  options: { advance: { type: "string", value: "SECONDS", about: "Move ahead by this time; it cannot be moved back" } },
  notes: ["It is the business time of everyone who uses the sandbox. Requests are still signed with the real time."],
  async run({ values, positionals, out, profile, signal }) {
    only(positionals);
    const seconds = values.advance === undefined ? null : wholeNumber(values.advance, "--advance", [1, 31_536_000]);
    const who = profile();
    const { operator_key } = await placesOf(who, signal);
    const times =
      seconds === null
        ? await readSandboxClock(who.base_url, operator_key, signal)
        : await moveClock(who.base_url, operator_key, seconds, signal);
    const rows = [["Business time", times.now] as const, ["Ahead by", `${times.offset_seconds} s`] as const];
    out.print(times, (paint) => aligned(rows, paint));
    return EXIT.done;
  },
});
