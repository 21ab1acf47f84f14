import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { forgetEmptyBlocks, repairState } from "./state-file.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settlement-state-"));
  file = join(folder, "chain.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function state(blocks: number, busy: readonly number[] = []): string {
  const block = (number: number) => ({
    header: { number: `0x${number.toString(16)}`, timestamp: `0x${(1_700_000_000 + number).toString(16)}` },
    transactions: busy.includes(number) ? ["0xaa"] : [],
  });
  return JSON.stringify({
    best_block_number: blocks - 1,
    accounts: {},
    blocks: Array.from({ length: blocks }, (_, number) => block(number)),
  });
}

function numbers(text: string): number[] {
  return JSON.parse(text).blocks.map((block: { header: { number: string } }) => Number(block.header.number));
}

test("a state that a SIGKILL left half written is replaced by its copy", () => {
  writeFileSync(file, state(10).slice(0, 100));
  writeFileSync(`${file}.copy`, state(9));
  repairState(file);
  expect(numbers(readFileSync(file, "utf8"))).toHaveLength(9);
});

test("of two broken files none is left, and the chain begins again", () => {
  writeFileSync(file, "{");
  writeFileSync(`${file}.copy`, "");
  repairState(file);
  expect(() => readFileSync(file)).toThrow(/ENOENT/);
});

test("old empty blocks are forgotten; the first, the busy and the newest are kept", () => {
  const kept = numbers(forgetEmptyBlocks(state(5_000, [7, 900])));
  expect(kept.slice(0, 4)).toEqual([0, 7, 900, 1_400]);
  expect(kept.at(-1)).toBe(4_999);
});

test("of the first blocks that starts have added, only the chain's own is kept: the treasury's key is named after it", () => {
  const parsed = JSON.parse(state(3));
  const [own] = parsed.blocks;
  const later = [9, 5].map((seconds) => ({ ...own, header: { ...own.header, timestamp: `0x${(1_700_000_000 + seconds).toString(16)}` } }));
  const kept = JSON.parse(forgetEmptyBlocks(JSON.stringify({ ...parsed, blocks: [later[0], ...parsed.blocks, later[1]] })));
  expect(kept.blocks).toEqual(parsed.blocks);
});

test("a state with a number that JavaScript cannot hold is left as it is", () => {
  const text = state(5_000).replace('"best_block_number":4999', '"best_block_number":18446744073709551615');
  expect(forgetEmptyBlocks(text)).toBe(text);
});
