import { expect, test } from "vitest";
import { isId, newId } from "#domain/ids.ts";
import { readCursor, readIdCursor, writeCursor } from "./cursor.ts";

const id = newId("settlement", new Date());
const own = { isOwn: (text: string) => isId("settlement", text) };
const forged = (text: string) => Buffer.from(text, "utf8").toString("base64url");
const refusal = (where: object) => ({
  code: "validation_failed",
  particulars: { errors: [{ ...where, code: "malformed_cursor", message: "must be a cursor that this list returned" }] },
});

test("a cursor that was written is read, and none is no place", () => {
  const position = { createdAt: new Date("2026-11-21T08:00:00.123Z"), id };
  expect(readCursor(writeCursor(position), own)).toEqual(position);
  expect(readCursor(undefined, own)).toBeNull();
  expect(readIdCursor(id, "settlement")).toBe(id);
  expect(readIdCursor(null, "settlement")).toBeNull();
});

test.each([
  ["an instant beyond what the database knows", forged(`999999999999999 ${id}`)],
  ["no instant at all", forged(`NaN ${id}`)],
  ["another spelling of the number", forged(`01 ${id}`)],
  ["an id that cannot be one", forged("1 tx_x")],
  ["an id of another list", writeCursor({ createdAt: new Date(), id: newId("topup", new Date()) })],
  ["padding", `${forged(`1 ${id}`)}=`],
])("a cursor that nobody wrote is refused: %s", (_what, text) => {
  expect(() => readCursor(text, own)).toThrow(expect.objectContaining(refusal({ pointer: "/cursor" })));
});

test("the refusal names where the cursor was given", () => {
  expect(() => readCursor("x", { ...own, where: { parameter: "cursor" } })).toThrow(
    expect.objectContaining(refusal({ parameter: "cursor" })),
  );
  expect(() => readIdCursor(newId("topup", new Date()), "settlement")).toThrow(expect.objectContaining(refusal({ pointer: "/cursor" })));
});
