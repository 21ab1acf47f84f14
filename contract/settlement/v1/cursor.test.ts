import { expect, test } from "vitest";
import { newId } from "#domain/ids.ts";
import { readCursor, writeCursor } from "./cursor.ts";

const id = newId("settlement", new Date());
const forged = (text: string) => Buffer.from(text, "utf8").toString("base64url");

test("a cursor that was written is read", () => {
  const position = { createdAt: new Date("2026-11-21T08:00:00.123Z"), id };
  expect(readCursor(writeCursor(position))).toEqual(position);
});

test.each([
  ["an instant beyond what the database knows", forged(`999999999999999 ${id}`)],
  ["no instant at all", forged(`NaN ${id}`)],
  ["another spelling of the number", forged(`01 ${id}`)],
  ["an id that cannot be one", forged("1 tx_x")],
  ["padding", `${forged(`1 ${id}`)}=`],
])("a cursor that nobody wrote is refused: %s", (_what, text) => {
  expect(readCursor(text)).toBeNull();
});
