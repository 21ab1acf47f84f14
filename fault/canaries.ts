import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { type Outcome, rule } from "./outcome.ts";

const NETWORK = fileURLToPath(new URL("canary-network.ts", import.meta.url));
const LIMIT_MS = 180_000;
/** A private network in which every address is this machine. */
const EVERYWHERE = "ip link set lo up && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo";

/** Places that were called, as `address/path`. */
const CanaryReport = z.object({
  /** The canaries that a plain client reached: they must be reachable where they listen. */
  control: z.array(z.string()),
  /** What the sender reached of the public ones. */
  reached: z.array(z.string()),
  forms: z.number(),
  called: z.array(z.string()),
  followed: z.array(z.string()),
});
export type CanaryReport = z.infer<typeof CanaryReport>;

/**
 * In a network with a canary at every address, the service's own sender calls every form of every internal address, names that resolve to
 * one, one that does so only between check and call, and a receiver that redirects there. Null: this system does not permit such a network.
 */
export async function judgeCanaries(): Promise<Outcome[] | null> {
  const run = promisify(execFile);
  const inside = (command: string) => ["--net", "--map-root-user", "sh", "-c", `${EVERYWHERE} && ${command}`];
  const allowed = await run("unshare", inside("true")).then(
    () => true,
    () => false,
  );
  if (!allowed) return null;
  const { stdout } = await run("unshare", inside(`exec "${process.execPath}" "${NETWORK}"`), { timeout: LIMIT_MS });
  const report = CanaryReport.parse(JSON.parse(stdout));
  const expected = [
    { what: "canaries that a plain client reached", found: report.control.length, least: 5 },
    { what: "public addresses that the sender reached", found: report.reached.length, least: 2 },
  ];
  return [
    rule(
      "canaries_reachable",
      "a canary is reachable at every address, and the sender does call what it may",
      expected,
      ({ what, found, least }) => (found >= least ? [] : [`${what}: ${found} of ${least}`]),
    ),
    {
      rule: "canaries_not_called",
      title: "no form of an inner address is connected to, whatever a name or a redirect says",
      checked: report.forms,
      violations: [...report.called, ...report.followed],
    },
  ];
}
