import { describe, expect, it } from "vitest";
import { type Place, type Walk, walkAll, walkPage } from "./page.ts";

const at = (minute: number) => ({ createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)), id: `id-${minute}` });
const self = (item: Place) => item;

/** Reads a list of this many minutes as a database would. */
function listOf(minutes: number) {
  const all = Array.from({ length: minutes }, (_, minute) => at(minute + 1)).toReversed();
  const asked: number[] = [];
  const read = async ({ limit, position, direction }: Walk) => {
    asked.push(limit);
    const beyond = position === null ? null : position.createdAt.getTime();
    if (direction === "older") return all.filter(({ createdAt }) => beyond === null || createdAt.getTime() < beyond).slice(0, limit);
    return all
      .filter(({ createdAt }) => beyond === null || createdAt.getTime() > beyond)
      .toReversed()
      .slice(0, limit);
  };
  return { read, asked };
}
const page = async (minutes: number, more: Partial<Walk>) =>
  await walkPage({ limit: 2, position: null, direction: "older", ...more }, listOf(minutes).read, self);

describe("walkPage", () => {
  it("begins at the newest, and goes on where there is more", async () => {
    expect(await page(9, {})).toEqual({ items: [at(9), at(8)], older: at(8), newer: null, first: at(9) });
  });

  it("knows that there are newer ones behind a place, and an end", async () => {
    expect(await page(9, { position: at(2) })).toEqual({ items: [at(1)], older: null, newer: at(1), first: at(1) });
  });

  it("turns what was found towards newer ones around, so that a page reads alike either way", async () => {
    expect(await page(10, { position: at(7), direction: "newer" })).toEqual({
      items: [at(9), at(8)],
      older: at(8),
      newer: at(9),
      first: at(9),
    });
  });

  it("leads nowhere from an empty page", async () => {
    expect(await page(9, { position: at(1) })).toEqual({ items: [], older: null, newer: null, first: null });
  });
});

describe("walkAll", () => {
  const drained = async (minutes: number) => {
    const { read, asked } = listOf(minutes);
    const batches: (readonly Place[])[] = [];
    for await (const batch of walkAll(read, self, 2)) batches.push(batch);
    return { batches, asked };
  };

  it("reads every item once, newest first, and stops at the first batch that is not full", async () => {
    const { batches, asked } = await drained(5);
    expect(batches).toEqual([[at(5), at(4)], [at(3), at(2)], [at(1)]]);
    expect(asked).toEqual([2, 2, 2]);
  });

  it("gives no empty batch, neither of an empty list nor after a full last one", async () => {
    expect((await drained(0)).batches).toEqual([]);
    expect((await drained(4)).batches).toEqual([
      [at(4), at(3)],
      [at(2), at(1)],
    ]);
  });

  it("reads no batch before it is asked for", async () => {
    const { read, asked } = listOf(5);
    const batches = walkAll(read, self, 2);
    await batches.next();
    expect(asked).toEqual([2]);
  });
});
