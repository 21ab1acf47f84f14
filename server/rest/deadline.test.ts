import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createDeadline } from "./deadline.ts";

const endOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error & { code?: string }) => error.code ?? error.name,
  );

it("abandons work that becomes known only after its caller has left, as a transaction that is being opened does", async () => {
  const deadline = createDeadline(10_000);
  let abandoned = 0;
  const opened = Promise.withResolvers<void>();
  const work = deadline.run(async () => {
    await opened.promise;
    deadline.whenOver(() => {
      abandoned += 1;
    });
  });
  deadline.leave();
  expect([await endOf(work), abandoned]).toEqual(["ClientGone", 0]);
  opened.resolve();
  await sleep(1);
  expect(abandoned).toBe(1);
  expect(() => deadline.check()).toThrow("the caller left");
});

it("does not end a commit that was sent, when its caller leaves", async () => {
  const deadline = createDeadline(10_000);
  const work = deadline.run(async () => {
    deadline.whenOver(() => {
      throw new Error("abandoned");
    });
    deadline.close();
    await sleep(1);
  });
  deadline.leave();
  expect(await endOf(work)).toBe("done");
});

it("refuses work after the caller has left during a network call", async () => {
  const deadline = createDeadline(10_000);
  const work = deadline.run(async () => {
    await deadline.pause(async () => deadline.leave());
    deadline.check();
  });
  expect(await endOf(work)).toBe("ClientGone");
});
