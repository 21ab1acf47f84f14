/**
 * Loaded before a child's own code: when the parent process is gone, the child ends by itself, as if it had been asked to stop. So nothing
 * is left running after a SIGKILL of the parent.
 */
const LONGEST_MS = 15_000 + 1_000 * (Number(process.env.DRAIN_SECONDS) || 0);

process.once("disconnect", () => {
  setTimeout(() => process.exit(1), LONGEST_MS).unref();
  process.kill(process.pid, "SIGTERM");
});
process.channel?.unref();
// Forks of the child's own (Next makes some while developing) talk over a channel that must keep them alive: not ours to watch.
const own = process.execArgv.indexOf("--import");
if (own !== -1) process.execArgv.splice(own, 2);
