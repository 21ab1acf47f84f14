import { describe, expect, it } from "vitest";
import type { CallbackSender } from "#server/ports.ts";
import { setCallbackStage } from "#testing/callback-stage.ts";
import { addSigningPartner, enqueueTestCallback, eventually, localSender, startDelivery } from "#testing/callbacks.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { DeliveryRoom } from "./delivery-room.ts";

const stage = setCallbackStage();

const LIMITS = { slots: 2_000, perQueue: 4, widest: 32, perPartner: 250, batch: 200 };
const PLACE = { queue: "partner https://receiver.example", partnerId: "partner" };

describe("the width of a queue", () => {
  /** So many attempts, one after the other, that ended like this. */
  function roomAfter(room: DeliveryRoom, times: number, end: { durationMs: number; wellAnswered: boolean }): number | undefined {
    for (let each = 0; each < times; each += 1) {
      room.begin(PLACE, 0);
      room.end(PLACE, end, 0);
    }
    return room.claimRoom(0)?.rooms[PLACE.queue];
  }

  it("begins at four, grows to thirty-two while answers come well within a second, and shrinks at trouble", () => {
    const room = new DeliveryRoom(LIMITS);
    expect(roomAfter(room, 1, { durationMs: 900, wellAnswered: true })).toBe(4);
    expect(roomAfter(room, 5, { durationMs: 20, wellAnswered: true })).toBe(9);
    expect(roomAfter(room, 100, { durationMs: 20, wellAnswered: true })).toBe(32);
    expect(roomAfter(room, 1, { durationMs: 20, wellAnswered: false })).toBe(16);
    expect(roomAfter(room, 1, { durationMs: 900, wellAnswered: true })).toBe(16);
    expect(roomAfter(room, 1, { durationMs: 20_000, wellAnswered: true })).toBe(4);
    expect(roomAfter(room, 1, { durationMs: 20, wellAnswered: true })).toBe(9);
    expect(roomAfter(room, 9, { durationMs: 20, wellAnswered: false })).toBe(4);
  });

  it("calls for more only once a quarter of it is free", () => {
    const room = new DeliveryRoom(LIMITS);
    roomAfter(room, 100, { durationMs: 20, wellAnswered: true });
    for (let each = 0; each < 32; each += 1) room.begin(PLACE, 0);
    room.roundEnds(0);
    const ends = Array.from({ length: 9 }, () => room.end(PLACE, { durationMs: 20, wellAnswered: true }, 0));
    expect(ends.indexOf(true)).toBe(7);
  });

  it("calls for more all the same where less than that became free while a round was under way", () => {
    const room = new DeliveryRoom(LIMITS);
    roomAfter(room, 100, { durationMs: 20, wellAnswered: true });
    for (let each = 0; each < 32; each += 1) room.begin(PLACE, 0);
    room.claimRoom(0);
    const end = () => room.end(PLACE, { durationMs: 20, wellAnswered: true }, 0);
    expect([end(), end(), end()]).toEqual([false, false, false]);
    room.roundEnds(0);
    expect(Array.from({ length: 6 }, end).indexOf(true)).toBe(4);
  });
});

describe("what a queue holds back by itself", () => {
  const claim = (room: DeliveryRoom, queue: string, times: number) => {
    room.claimRoom(0);
    const held = Array.from({ length: times }, () => room.begin({ queue, partnerId: "partner" }, 0));
    room.roundEnds(0);
    return held;
  };
  const end = (room: DeliveryRoom, queue: string, times: number) => {
    for (let each = 0; each < times; each += 1) room.end({ queue, partnerId: "partner" }, { durationMs: 20, wellAnswered: false }, 0);
  };

  it("goes out with the attempts that begin after a pass in which the queue was full, and no longer once it was not", () => {
    const room = new DeliveryRoom(LIMITS);
    expect(claim(room, "narrow", 2), "nobody knows it: it has room for two").toEqual([false, false]);
    end(room, "narrow", 2);
    expect(claim(room, "narrow", 4), "two were all there was room for").toEqual([true, true, true, true]);
    end(room, "narrow", 4);
    expect(claim(room, "narrow", 1)).toEqual([true]);
    end(room, "narrow", 1);
    expect(claim(room, "narrow", 1), "the round before had room left").toEqual([false]);
  });

  it("says nothing of another queue, nor of one that the worker itself comes late to", () => {
    const room = new DeliveryRoom(LIMITS);
    claim(room, "narrow", 2);
    expect(claim(room, "other", 1)).toEqual([false]);
    end(room, "other", 1);
    claim(room, "other", 3);
    end(room, "other", 3);
    expect(claim(room, "other", 3), "there was room for four").toEqual([false, false, false]);
  });
});

describe("fairness", () => {
  it("lets no hanging receivers delay another partner, and gives no queue more than its share", async () => {
    const [greedy, modest] = [await addSigningPartner(stage.database.db), await addSigningPartner(stage.database.db)];
    const hanging = await Promise.all(Array.from({ length: 10 }, () => stage.receiver(() => {})));
    const endpoint = await stage.receiver();
    for (const each of hanging)
      for (let index = 0; index < 12; index += 1) await enqueueTestCallback(stage.database.db, greedy, each.origin);
    const late: number[] = [];
    stage.work({ onAttempt: ({ outcome, latenessSeconds }) => outcome === "delivered" && late.push(latenessSeconds) });
    await Promise.all(hanging.map((each) => each.received(4)));
    for (let index = 0; index < 30; index += 1) await enqueueTestCallback(stage.database.db, modest, endpoint.origin);
    await endpoint.received(30);
    await eventually(async () => (late.length === 30 ? true : null));
    expect(Math.max(...late)).toBeLessThan(AT_ONCE_MS / 1_000);
    expect(Math.max(...hanging.map((each) => each.requests.length))).toBe(4);
  });

  it("lets neither slow nor unknown lanes have the slots that prompt ones need", async () => {
    const [greedy, modest] = [await addSigningPartner(stage.database.db), await addSigningPartner(stage.database.db)];
    const endpoint = await stage.receiver();
    const worker = stage.work({ limits: { slots: 16, perQueue: 8, widest: 8, perPartner: 100, batch: 50 } });
    await stage.settled((await enqueueTestCallback(stage.database.db, modest, endpoint.origin)).id, 1);
    const hanging = await Promise.all(Array.from({ length: 10 }, () => stage.receiver(() => {})));
    for (const each of hanging)
      for (let index = 0; index < 5; index += 1) await enqueueTestCallback(stage.database.db, greedy, each.origin);
    await eventually(async () => (worker.inFlight() >= 8 ? true : null));
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect(worker.inFlight()).toBeLessThanOrEqual(14);
    const owed = await Promise.all(Array.from({ length: 20 }, () => enqueueTestCallback(stage.database.db, modest, endpoint.origin)));
    const before = Date.now();
    for (const { id } of owed) await stage.settled(id, 1);
    expect(Date.now() - before).toBeLessThan(AT_ONCE_MS);
  });

  it("lets a receiver that nobody knows yet through while slow ones fill all they may have", async () => {
    const [greedy, newcomer] = [await addSigningPartner(stage.database.db), await addSigningPartner(stage.database.db)];
    const hanging = await Promise.all(Array.from({ length: 4 }, () => stage.receiver(() => {})));
    const worker = stage.work({ limits: { slots: 24, perQueue: 4, widest: 4, perPartner: 100, batch: 50 } });
    for (const each of hanging)
      for (let index = 0; index < 12; index += 1) await enqueueTestCallback(stage.database.db, greedy, each.origin);
    await eventually(async () => (worker.inFlight() >= 8 ? true : null));
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const endpoint = await stage.receiver();
    const before = Date.now();
    const owed = await Promise.all(Array.from({ length: 10 }, () => enqueueTestCallback(stage.database.db, newcomer, endpoint.origin)));
    for (const { id } of owed) await stage.settled(id, 1);
    expect(Date.now() - before).toBeLessThan(AT_ONCE_MS);
    // Slow queues have half of the slots at most.
    expect(worker.inFlight()).toBeLessThanOrEqual(12);
  });

  it("gives one partner no more than its share, however many receivers it names", async () => {
    const [greedy, modest] = [await addSigningPartner(stage.database.db), await addSigningPartner(stage.database.db)];
    const hanging = await Promise.all(Array.from({ length: 6 }, () => stage.receiver(() => {})));
    for (const each of hanging) await enqueueTestCallback(stage.database.db, greedy, each.origin);
    const worker = stage.work({ limits: { slots: 40, perQueue: 8, widest: 8, perPartner: 4, batch: 2 } });
    await eventually(async () => (worker.inFlight() === 4 ? true : null));
    const endpoint = await stage.receiver();
    await enqueueTestCallback(stage.database.db, modest, endpoint.origin);
    await endpoint.received(1);
    expect(worker.inFlight()).toBeLessThanOrEqual(5);
    expect(hanging.reduce((sum, each) => sum + each.requests.length, 0)).toBe(4);
  });

  it("begins what waited for room as soon as there is room, without the poll's help", async () => {
    const someone = await addSigningPartner(stage.database.db);
    const endpoint = await stage.receiver((_request, response) => void setTimeout(() => response.end(), 20));
    for (let index = 0; index < 80; index += 1) await enqueueTestCallback(stage.database.db, someone, endpoint.origin);
    stage.work({ pollMs: 60_000 });
    await endpoint.received(80);
    for (let index = 0; index < 20; index += 1) await enqueueTestCallback(stage.database.db, someone, endpoint.origin);
    await endpoint.received(100);
  });

  it("leaves callbacks that others claim at this moment alone", async () => {
    const someone = await addSigningPartner(stage.database.db);
    const stuck: CallbackSender = { ...localSender, send: () => new Promise(() => {}) };
    for (let index = 0; index < 4; index += 1) await enqueueTestCallback(stage.database.db, someone, "http://127.0.0.1:9/");
    const first = startDelivery(stage.database, { sender: stuck });
    await eventually(async () => (first.inFlight() === 4 ? true : null));
    const second = stage.work();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(second.inFlight()).toBe(0);
    await first.stop();
  });
});
