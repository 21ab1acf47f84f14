import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import type { Duty } from "#server/engines/duty.ts";
import { eventually, silentLog } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { type LoopOptions, startLoop } from "./loop.ts";

const NEVER = 600_000;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function start(options: Partial<LoopOptions> & { duties: Duty[] }) {
  const loop = startLoop({ listen: () => new Promise(() => {}), log: silentLog, ...options });
  closing.push(() => loop.stop());
  return loop;
}

type Verdict = "idle" | "busy";
type CountingDuty = Duty & { rounds: number };

/** A duty that counts its rounds. */
function counting(more: Partial<Duty> & { work?: (pass: number) => Promise<Verdict> | Verdict } = {}): CountingDuty {
  const { work = () => "idle" as const, ...rest } = more;
  const duty: CountingDuty = {
    name: "counting",
    everyMs: NEVER,
    rounds: 0,
    async run() {
      duty.rounds += 1;
      return await work(duty.rounds);
    },
    ...rest,
  };
  return duty;
}

const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const rounds = (duty: { rounds: number }, count: number) => eventually(async () => (duty.rounds >= count ? true : null));

describe("the worker's loop", () => {
  it("runs each duty at once and then in its own rhythm", async () => {
    const quick = counting({ everyMs: 20 });
    const slow = counting();
    start({ duties: [quick, slow] });
    await rounds(quick, 5);
    expect(slow.rounds).toBe(1);
  });

  it("goes on at once while there is more", async () => {
    const duty = counting({ work: (pass) => (pass < 10 ? "busy" : "idle") });
    start({ duties: [duty] });
    await rounds(duty, 10);
    await rest(30);
    expect(duty.rounds).toBe(10);
  });

  it("lets a duty that fails or hangs neither end nor hinder the others, and tries the failing one again", async () => {
    const failing = counting({
      work: (pass) => {
        if (pass < 3) throw new Error("no");
        return "idle";
      },
    });
    const hanging = counting({ work: () => new Promise(() => {}) });
    const sound = counting({ everyMs: 10 });
    const failures: string[] = [];
    start({
      duties: [failing, hanging, sound],
      listen: () => Promise.reject(new Error("nobody to listen to")),
      patienceMs: 10,
      onRound: ({ duty, outcome }) => outcome === "failed" && failures.push(duty),
    });
    await rounds(failing, 3);
    expect(failures).toEqual(["counting", "counting"]);
    expect(sound.rounds).toBeGreaterThan(10);
  });

  it("says once that a duty fails, however often it is tried, and how often that was when it works again", async () => {
    const lines: object[] = [];
    const write = (fields: object, message: string) => void lines.push({ ...fields, message });
    const log = { info: write, warn: write, error: write, child: () => log };
    const no = new Error("no");
    const duty = counting({
      work: (pass) => {
        if (pass < 4) throw no;
        return "idle";
      },
    });
    start({ duties: [duty], log });
    await rounds(duty, 4);
    await eventually(async () => (lines.length > 1 ? true : null));
    expect(lines).toEqual([
      { duty: "counting", error: no, times: 1, message: "a duty failed" },
      { duty: "counting", times: 3, message: "a duty succeeds again" },
    ]);
  });

  it("keeps a wake-up that comes during a round for the next one", async () => {
    let wake = () => {};
    let finish = () => {};
    const duty = counting({
      onWake: (given) => {
        wake = given;
      },
      work: (pass) => (pass > 1 ? "idle" : new Promise((resolve) => (finish = () => resolve("idle")))),
    });
    start({ duties: [duty] });
    await rounds(duty, 1);
    wake();
    wake();
    finish();
    await rounds(duty, 2);
    await rest(30);
    expect(duty.rounds).toBe(2);
  });

  it("stops after the rounds under way, then drains, and starts nothing more", async () => {
    const order: string[] = [];
    const duty = counting({
      everyMs: 1,
      work: async () => {
        await rest(50);
        order.push("round");
        return "busy" as const;
      },
      drain: async () => void order.push("drain"),
    });
    const broken = counting({ drain: () => Promise.reject(new Error("no")) });
    const loop = start({ duties: [duty, broken] });
    await rest(20);
    await loop.stop();
    expect(order).toEqual(["round", "drain"]);
    await rest(80);
    expect(order).toHaveLength(2);
  });
});

describe("a round that does not end when the worker stops", () => {
  const hanging = (more: Partial<Duty> = {}) => counting({ work: () => new Promise(() => {}), ...more });

  it("is left after its patience: what is in hand is given back, and the others' rounds have ended", async () => {
    const order: string[] = [];
    const log = { ...silentLog, warn: (fields: object) => void order.push(JSON.stringify(fields)) };
    const stuck = hanging({ name: "stuck", drain: async () => void order.push("given back") });
    const slowly = async () => {
      await rest(100);
      order.push("slow");
      return "busy" as const;
    };
    const slow = counting({ work: slowly, patienceMs: NEVER });
    const loop = start({ duties: [stuck, slow], log, patienceMs: 200 });
    await rest(10);
    await loop.stop();
    expect(order).toEqual(["slow", expect.stringContaining('"duty":"stuck"'), "given back"]);
  });

  it("has as long as its duty says, and what becomes of it afterwards concerns nobody", async () => {
    const order: string[] = [];
    const short = hanging({ name: "short", patienceMs: 1, drain: async () => void order.push("short") });
    const long = hanging({ name: "long", drain: async () => void order.push("long") });
    const failing = counting({
      patienceMs: 1,
      work: async () => {
        await rest(50);
        throw new Error("too late");
      },
    });
    const errors: object[] = [];
    const log = { ...silentLog, error: (fields: object) => void errors.push(fields) };
    const loop = start({ duties: [long, short, failing], log, patienceMs: 300 });
    await rest(10);
    await loop.stop();
    expect(order).toEqual(["short", "long"]);
    expect(errors).toEqual([]);
  });
});

describe("the loop's wake-ups", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const listen: LoopOptions["listen"] = (...listener) => database.sql.listen(...listener);
  const notify = (payload: string) => database.sql.notify("due_work", payload);

  it("start the duty of the channel; the moved clock starts all", async () => {
    const callbacks = counting({ channel: "callbacks" });
    const transfers = counting({ channel: "transfers" });
    const other = counting();
    const all = [callbacks, transfers, other];
    start({ duties: all, listen });
    // Once at the start, and once because nobody listened before.
    for (const duty of all) await rounds(duty, 2);
    await notify("callbacks");
    await rounds(callbacks, 3);
    await rest(50);
    expect(all.map((duty) => duty.rounds)).toEqual([3, 2, 2]);
    await notify("clock");
    for (const duty of all) await rounds(duty, 3);
    await rest(50);
    expect(all.map((duty) => duty.rounds)).toEqual([4, 3, 3]);
  });

  it("are heard again soon after a database that was away", async () => {
    const away = await createTestDatabase();
    const duty = counting({
      channel: "callbacks",
      work: async () => {
        await away.sql`select 1`;
        return "idle" as const;
      },
    });
    const loop = startLoop({ duties: [duty], listen: (...listener) => away.sql.listen(...listener), log: silentLog });
    const admin = postgres(inject("testServer").adminUrl, { max: 1, onnotice: () => {} });
    const name = new URL(away.url).pathname.slice(1);
    try {
      await rounds(duty, 2);
      await admin`alter database ${admin(name)} with allow_connections false`;
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
      await rest(2_500);
      await admin`alter database ${admin(name)} with allow_connections true`;
      const back = Date.now();
      const before = duty.rounds;
      await rounds(duty, before + 1);
      expect(Date.now() - back).toBeLessThan(AT_ONCE_MS);
      await rest(3_000);
      const quiet = duty.rounds;
      await away.sql.notify("due_work", "callbacks");
      await rounds(duty, quiet + 1);
    } finally {
      await loop.stop();
      await admin.end();
      await away.close();
    }
  });
});
