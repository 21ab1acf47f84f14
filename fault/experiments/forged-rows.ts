import { setTimeout as sleep } from "node:timers/promises";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment } from "#fault/experiment.ts";
import { FORGED_ROLES, Forger, type Forgery, isFixed, MONEY_TABLES } from "#fault/forger.ts";
import { alike, must, type Outcome, rule } from "#fault/outcome.ts";
import { createPayment, inStreams } from "#fault/traffic.ts";
import { paymentsOn } from "#fault/truth.ts";
import { inWorld, timeUntil, type World } from "#fault/world.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";

const STREAMS = 4;
/** The partner's program gives up a request then: a forged rate or limit can refuse it for good. */
const PATIENCE_MS = 5_000;
const WORKED_OFF_MS = 60_000;
/** Work of which nothing has changed for so long waits for what is forged, and never ends. */
const UNCHANGED_MS = 10_000;
const TIDIED_EVERY_MS = 500;
const PASSES_AFTERWARDS = 4;
/** PostgreSQL's `insufficient_privilege`; the others of its class are mistakes of a statement. */
const DENIED = "42501";

export const forgedRows: Experiment = {
  name: "forged-rows",
  breaks:
    "Somebody has the log-ins of web and worker: while payments are made, rows are added to every table about money, and every column of it is changed, in each role and again and again",
  judged:
    "nothing is signed that is not owed, nobody is paid twice; the database refuses every row that would say what is paid; anyone who is not paid is waiting, has failed, or is named by the audit or a halt",
  async run(scene) {
    const count = scene.pick(200, 12);
    return await inWorld(scene, { webs: 1, workers: 1, wallets: 1 }, async (world) => {
      const thief = scene.random.wallet();
      const { url, owner } = world.database;
      const forger = await Forger.open(owner, { url, partnerId: world.stage.partnerId, thief, random: scene.random });
      const notices: string[] = [];
      let isOver = false;
      const tidying = tidyUp(world, () => isOver, notices);
      try {
        let unanswered = 0;
        const traffic = inStreams(count, STREAMS, async (index) => {
          const order = {
            random: scene.random.fork(String(index)),
            callbackUrl: "http://127.0.0.1:9/callback",
            reference: `order-${index}`,
            patienceMs: PATIENCE_MS,
          };
          await createPayment(world, order).catch(() => {
            unanswered += 1;
          });
        });
        let isPaying = true;
        const paid = traffic.finally(() => {
          isPaying = false;
        });
        while (isPaying) await forger.tryAll();
        await paid;
        // Locks were in the way of some.
        for (let pass = 0; pass === 0 || (pass < PASSES_AFTERWARDS && forger.missed().length > 0); pass += 1) await forger.tryAll();
        await timeUntil(workedOff(world), WORKED_OFF_MS, 500);
        isOver = true;
        await tidying;
        const own = [...refused(forger), ...(await effects(world, { thief, notices }))];
        const through = forger.tried.filter(({ refusal }) => refusal === null).length;
        const counts = `${count} payments, ${unanswered} given up by their partner; ${forger.tried.length} statements, ${forger.tried.length - through} refused`;
        return { counts, facts: { ...NOTHING, own } };
      } finally {
        isOver = true;
        await forger.close();
      }
    });
  },
};

/** What people do meanwhile: they read each halt and lift it, and have the wallets sign again. Otherwise the first forgery would end it. */
async function tidyUp({ database: { owner } }: World, isOver: () => boolean, notices: string[]): Promise<void> {
  const [journal] = await owner<{ installation: string }[]>`select installation from signing_journal`;
  while (!isOver()) {
    // The file names its installation, and its lines count themselves.
    if (journal) await owner`update signing_journal set installation = ${journal.installation}, records = 0`.catch(() => {});
    const lifted = await owner<{ detail: string }[]>`
      update lane_halts set lifted_at = greatest(since, business_now()), lifted_by = 'somebody', lift_reason = 'It was looked into.'
      where lifted_at is null returning detail || evidence::text as detail`.catch(() => []);
    notices.push(...lifted.map(({ detail }) => detail));
    await owner`update wallets set state = 'active' where state <> 'active'`.catch(() => {});
    await sleep(TIDIED_EVERY_MS);
  }
}

/** Whether all that can end has ended: what waits for a chain goes on once its halt is lifted, and what waits for a review does not. */
function workedOff({ database: { owner } }: World): () => Promise<boolean> {
  let [seen, since] = ["", performance.now()];
  return async () => {
    const left = await owner<{ id: string; state: string }[]>`
      select id, state from transfers where state in ('queued', 'signed', 'broadcast', 'mined')
      and coalesce(waiting_kind, 'chain_unavailable') = 'chain_unavailable' order by id`;
    const now = JSON.stringify(left);
    if (now !== seen) [seen, since] = [now, performance.now()];
    return left.length === 0 || performance.now() - since > UNCHANGED_MS;
  };
}

const named = ({ role, table, column, refusal }: Forgery) =>
  `${role}: ${table}${column === null ? "" : `.${column}`}: ${refusal ?? "let through"}`;

/** Each role met each column of each table, and what says what is paid was refused each time. */
function refused(forger: Forger): Outcome[] {
  const { tried } = forger;
  const fixed = tried.filter(isFixed);
  const changed = rule("paid_rows_protected", "no log-in changes what is paid, or adds a payment", fixed, (one) =>
    one.refusal === null ? [named(one)] : [],
  );
  const pairs = FORGED_ROLES.flatMap((role) => MONEY_TABLES.map((table) => ({ role, table })));
  const met = rule("every_table_tried", "each role tried to add to each table", pairs, ({ role, table }) =>
    tried.some((one) => one.role === role && one.table === table && one.column === null) ? [] : [`${role} never tried ${table}`],
  );
  const missed = forger.missed();
  const every = must("every_column_tried", "each role tried to change each column", missed.length === 0, missed.join(", "));
  const broken = tried.filter(({ code }) => code?.startsWith("42") === true && code !== DENIED);
  const sound = must(
    "statements_sound",
    "each refusal is one of rights, rules or rows, and of no statement that says nothing",
    broken.length === 0,
    broken.map(named).join("; "),
  );
  return [changed, met, every, sound];
}

/** Rows, chain and what clients were promised, each against the others. */
async function effects(world: World, { thief, notices }: { thief: string; notices: readonly string[] }): Promise<Outcome[]> {
  const { owed } = world.history;
  const treasury = await world.database.owner<{ address: string }[]>`select address from wallets`;
  const payments = (await paymentsOn(world)).filter(({ wallet }) => !treasury.some(({ address }) => alike(address, wallet)));
  const quotes = await world.database.owner<{ wallet: string; amount: string }[]>`
    select s.wallet_address as wallet, q.destination_amount_base::text as amount from settlements s
    join settlement_quotes q on q.settlement_id = s.id and q.version = s.quote_version`;
  const isQuoted = (wallet: string, amount: bigint) =>
    quotes.some((quote) => alike(quote.wallet, wallet) && BigInt(quote.amount) === amount);
  const onlyOwed = rule(
    "only_owed_payments",
    "every payment on the chain is one that a partner agreed on",
    payments,
    ({ wallet, amountBase }) => (isQuoted(wallet, amountBase) ? [] : [`${wallet} got ${amountBase}`]),
  );
  const once = rule("paid_once", "nobody is paid twice", owed, ({ id, wallet, amountBase }) => {
    const got = payments.filter((payment) => alike(payment.wallet, wallet));
    return got.length <= 1 && got.every((payment) => payment.amountBase === amountBase) ? [] : [`${id} was paid ${got.length} times`];
  });
  const robbed = must(
    "thief_not_paid",
    "the forged recipient got nothing",
    !payments.some(({ wallet }) => alike(wallet, thief)),
    `${thief} was paid`,
  );
  const isReported = await reportedBy(world, notices);
  const unpaid = owed.filter(({ wallet }) => !payments.some((payment) => alike(payment.wallet, wallet)));
  const seen = rule(
    "unpaid_is_reported",
    "anyone who is not paid is waiting, has failed, or is named by the audit or a halt",
    unpaid,
    ({ id }) => (isReported(id) ? [] : [`${id} is not paid, and nothing says so`]),
  );
  const most = must(
    "most_paid",
    "most payments are made all the same",
    payments.length * 2 > owed.length,
    `${payments.length} of ${owed.length}`,
  );
  return [onlyOwed, once, robbed, seen, most];
}

/** Whether anything says of a settlement that its payment is not made. The rules over rows say it: a node knows no forged hash. */
async function reportedBy({ database }: World, notices: readonly string[]): Promise<(id: string) => boolean> {
  const { rules } = await auditDatabase({ db: database.db });
  const violations = rules.flatMap((one) => one.violations.map(({ subject, detail }) => `${subject} ${detail}`));
  const open = await database.owner<{ transfer: string; id: string; isOpen: boolean }[]>`
    select id as transfer, owner_id as id, state not in ('executed') as "isOpen" from transfers`;
  return (id) => {
    const transfer = open.find((one) => one.id === id);
    const names = [id, ...(transfer === undefined ? [] : [transfer.transfer])];
    return transfer?.isOpen === true || [...violations, ...notices].some((line) => names.some((name) => line.includes(name)));
  };
}
