import { first, gaveUp, LOCKED_OUT, lastExit, of, PAYS_TWICE, type Run, refusalsOf, type Scenario } from "./judges.ts";

/** It paid the one batch, once, and said so. */
function paidOnce(run: Run): string | null {
  const { made, confirmed } = run.effects;
  if (made.size > 1) return `It created ${made.size} batches for one file.`;
  if (confirmed.size === 0) return `It confirmed nothing${refusalsOf(run)}.`;
  return lastExit(run) === 0 ? null : `It confirmed the batch, but exited with ${lastExit(run) ?? "nothing"}${refusalsOf(run)}.`;
}

/** Null unless it ended with 0 although nothing was paid. */
function saysThatAllIsWell(run: Run): string | null {
  return run.effects.confirmed.size === 0 && lastExit(run) === 0 ? "It exited with 0, but paid nothing." : null;
}

/** Contract, part 11: what a client that pays in batches must survive. */
export const BATCH_SCENARIOS: readonly Scenario[] = [
  {
    name: "plain",
    title: "Creates the batch, confirms it once, exits with 0 and ignores unknown fields",
    danger: "Nothing works.",
    judge: paidOnce,
  },
  {
    name: "lost batch",
    title: "Creates only one batch when the answer to it is lost",
    danger: "Each lost answer leaves an unknown batch behind. If both are confirmed, you pay everybody twice.",
    interfere: first("create", { lose: "answer" }),
    judge: paidOnce,
  },
  {
    name: "crash",
    title: "Finds the batch again by its external_batch_id when it restarts after a crash",
    danger: PAYS_TWICE,
    isStartedAgain: true,
    interfere: first("create", { lose: "answer", andThen: "kill" }),
    judge: paidOnce,
  },
  {
    name: "lost confirmation",
    title: "Confirms the same batch again, or reads it, when the answer to its confirmation is lost",
    danger: PAYS_TWICE,
    interfere: first("confirm", { lose: "answer" }),
    judge: paidOnce,
  },
  {
    name: "409 changed",
    title: "Does not confirm sums other than the quoted ones (409 quote_changed)",
    danger: "You pay amounts that no one agreed to.",
    alter: (operation, answer) => (operation === "create" ? { totals: raised(answer.totals) } : {}),
    judge: (run) => {
      if (run.effects.confirmed.size === 0) return saysThatAllIsWell(run);
      const named = of(run, "confirm")[0]?.body.includes("expected_total") === true;
      return named ? "It accepted the new sums automatically." : "It confirmed without expected_total, so the sums may have been others.";
    },
  },
  {
    name: "410",
    title: "Requotes, or stops, when a quote in the batch has expired (410)",
    danger: "It retries forever on a batch whose prices no longer count.",
    interfere: ({ operation, count }) => {
      const now = new Date().toISOString();
      return operation === "confirm" && count === 1 ? { refuse: "quote_expired", members: { expired_at: now, server_time: now } } : null;
    },
    judge: (run) => {
      const asked = run.seen.map(({ operation }) => operation);
      const between = asked.slice(asked.indexOf("confirm") + 1, asked.lastIndexOf("confirm"));
      if (of(run, "confirm").length > 1 && !between.includes("requote_batch"))
        return "It confirmed the expired batch again, without a requote.";
      if (run.effects.made.size > 1) return `It created ${run.effects.made.size} batches instead of a requote.`;
      return saysThatAllIsWell(run);
    },
  },
  {
    name: "422",
    title: "Stops when one item is refused (422)",
    danger: LOCKED_OUT,
    order: () => ({ wallet_address: "0x70997970c51812dc3A010C7d01b50e0d17dc79C8" }),
    judge: (run) => gaveUp(run, 1, of(run, "create")),
  },
  {
    name: "failed item",
    title: "Does not exit with 0 when an item of the completed batch has failed",
    danger: "Your books say that everybody was paid, and one was not.",
    alter: (operation, answer) => (operation === "get" && answer.status === "completed" ? { counts: oneFailed(answer.counts) } : {}),
    judge: (run) => {
      if (run.effects.confirmed.size === 0) return `It confirmed nothing${refusalsOf(run)}.`;
      return lastExit(run) === 0 ? "It exited with 0 although one item had failed." : null;
    },
  },
];

function raised(totals: unknown): unknown {
  const raise = (total: Record<string, unknown>) => ({ ...total, destination_amount: Number(total.destination_amount) + 1 });
  return Array.isArray(totals) ? totals.map(raise) : totals;
}

function oneFailed(counts: unknown): object {
  const { executed, failed, ...others } = Object(counts);
  return { ...others, executed: Number(executed) - 1, failed: Number(failed) + 1 };
}
