import { expect, it } from "vitest";
import { BadFrame, FrameReader, writeFrame } from "./frames.ts";

const MESSAGE = { id: 1, amount: 2n ** 200n, at: new Date("2026-01-02T03:04:05.678Z"), list: [0n, "n", null], text: "é" };

it("a message keeps amounts and moments, however the stream is cut", () => {
  const stream = Buffer.concat([writeFrame(MESSAGE), writeFrame({ id: 2 })]);
  for (let cut = 1; cut < stream.length; cut += 1) {
    const reader = new FrameReader();
    expect([...reader.add(stream.subarray(0, cut)), ...reader.add(stream.subarray(cut))]).toEqual([MESSAGE, { id: 2 }]);
  }
  const reader = new FrameReader();
  expect([...stream].flatMap((byte) => reader.add(Buffer.of(byte)))).toEqual([MESSAGE, { id: 2 }]);
});

it.each([
  ["of no length", Buffer.from([0, 0, 0, 0])],
  ["of an impossible length", Buffer.from([0xff, 0xff, 0xff, 0xff])],
  ["that is no JSON", Buffer.concat([Buffer.from([0, 0, 0, 3]), Buffer.from("{{{")])],
  ["that names a prototype", writeFrame(JSON.parse('{"__proto__":{"isOurs":true}}'))],
])("a frame %s ends the connection", (_, bytes) => {
  expect(() => new FrameReader().add(bytes)).toThrow(BadFrame);
});
