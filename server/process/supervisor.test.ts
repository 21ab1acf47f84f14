import { expect, test } from "vitest";
import { createSupervisor, type Part, pauseBefore, type Running } from "./supervisor.ts";
import { Trouble } from "./trouble.ts";

/** A part under the test's hand: `die` ends the running one, `stopped` counts orderly ends. */
function puppet(name: string, ends: string[] = []) {
  const state = { starts: 0, stopped: [] as string[], die: (_how: string): void => {} };
  const part: Part = {
    name,
    start: async () => {
      state.starts += 1;
      let end = (_how: string): void => {};
      const exited = new Promise<string>((resolve) => {
        end = resolve;
      });
      state.die = end;
      const running: Running = {
        exited,
        stop: async () => {
          ends.push(name);
          end("exit code 0");
        },
      };
      return running;
    },
  };
  return { part, state };
}

test("a part is started again at once the first time, then after a pause of at most three seconds", () => {
  expect([1, 2, 3, 4, 5, 6, 50].map(pauseBefore)).toEqual([0, 250, 500, 1000, 2000, 3000, 3000]);
});

test("a part that dies after it was ready is said and started again, more than five times", async () => {
  const said: string[] = [];
  const pauses: number[] = [];
  const supervisor = createSupervisor(
    (line) => said.push(line),
    async (ms) => {
      pauses.push(ms);
    },
  );
  const { part, state } = puppet("The part");
  await supervisor.run(part);
  for (let death = 1; death <= 8; death++) {
    state.die("killed by SIGKILL");
    await expect.poll(() => state.starts).toBe(death + 1);
  }
  expect(pauses).toEqual([0, 250, 500, 1000, 2000, 3000, 3000, 3000]);
  expect(said[0]).toBe("The part ended (killed by SIGKILL): starting it again.");
  expect(said).toContain("The part is ready again.");
  await supervisor.stop();
});

test("five deaths in a row before the part was ready even once end the whole with a message", async () => {
  const supervisor = createSupervisor(
    () => {},
    async () => {},
  );
  let starts = 0;
  const part: Part = {
    name: "The part",
    start: async () => {
      starts += 1;
      throw new Error("exit code 7");
    },
  };
  await expect(supervisor.run(part)).rejects.toThrow("The part ended 5 times before it was ready; the last time: exit code 7.");
  expect(starts).toBe(5);
  await supervisor.stop();
});

test("what the person at the terminal must mend is said at once, not five times", async () => {
  const supervisor = createSupervisor(() => {});
  let starts = 0;
  const start = async () => {
    starts += 1;
    throw new Trouble("install it");
  };
  await expect(supervisor.run({ name: "The part", start })).rejects.toThrow("install it");
  expect(starts).toBe(1);
});

test("parts are ended in the reverse order of their start, and none is started again", async () => {
  const ends: string[] = [];
  const supervisor = createSupervisor(() => {});
  const parts = ["database", "chain", "web"].map((name) => puppet(name, ends));
  for (const { part } of parts) await supervisor.run(part);
  await supervisor.stop();
  expect(ends).toEqual(["web", "chain", "database"]);
  expect(parts.map(({ state }) => state.starts)).toEqual([1, 1, 1]);
});
