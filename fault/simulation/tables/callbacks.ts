import type { ClaimedCallback } from "#db/queries/callbacks/due-callbacks.ts";
import { statement, type View } from "#fault/simulation/store.ts";
import { business, type CallbackAttemptRow, type CallbackRow, dateOf, tables } from "./rows.ts";

type Module = typeof import("#db/queries/callbacks/due-callbacks.ts");

const LEASE_MS = 10_000;
const attemptId = ({ id, series, nextNumber }: CallbackRow) => `${id} ${series} ${nextNumber}`;

function begun(view: View, row: CallbackRow, now: number): CallbackAttemptRow {
  const before = view.get(tables().callbackAttempts, attemptId(row));
  const place = { id: attemptId(row), callbackId: row.id, number: row.nextNumber, scheduledAt: row.dueAt ?? now };
  return before === undefined ? { ...place, sentAt: now, endedAt: null, errorKind: null } : { ...before, sentAt: now };
}

/** As `db/queries/callbacks/due-callbacks.ts`, without manual attempts and paused receivers. */
export const dueCallbackQueries = {
  claimDueCallbacks: (db, token, room) =>
    statement(db, "claim callbacks", (view) => {
      const { callbacks, callbackAttempts } = tables();
      const now = view.now + business.aheadMs;
      const isDue = ({ id, dueAt, leaseUntil, partnerId }: CallbackRow) =>
        dueAt !== null &&
        dueAt <= now &&
        (leaseUntil === null || leaseUntil < view.now) &&
        view.isFree(callbacks, id) &&
        !room.closedPartners.includes(partnerId);
      const byDue = (one: CallbackRow, other: CallbackRow) => (one.dueAt ?? 0) - (other.dueAt ?? 0);
      const queues = Map.groupBy(view.list(callbacks, isDue).sort(byDue), ({ queue }) => queue);
      const inTurn = [...queues].flatMap(([queue, due]) =>
        due.slice(0, room.rooms[queue] ?? room.otherwise).map((row, turn) => ({ row, turn })),
      );
      const taken = inTurn.sort((one, other) => one.turn - other.turn || byDue(one.row, other.row)).slice(0, room.limit);
      return taken.map(({ row }): ClaimedCallback => {
        view.put(callbacks, { ...row, leaseUntil: view.now + LEASE_MS, leaseToken: token });
        view.put(callbackAttempts, begun(view, row, now));
        const { id, partnerId, queue, url, body, series, nextNumber: number, dueAt } = row;
        const signing = { apiSecret: "sealed", webhookSecrets: ["sealed"], signerId: "key", secretsOf: partnerId };
        return {
          id,
          token,
          partnerId,
          signing,
          queue,
          url,
          body,
          trace: null,
          series,
          number,
          attemptId: null,
          dueAt: dateOf(dueAt ?? 0),
          claimedAt: dateOf(now),
        };
      });
    }),
  settleAttempts: (db, attempts) =>
    statement(db, `settle callbacks ${attempts.map(({ number, state }) => `${number} ${state}`)}`, (view) => {
      const { callbacks, callbackAttempts } = tables();
      const written = new Set<string>();
      for (const { id } of attempts) view.hold(`callbacks ${id}`);
      for (const { id, token, series, number, agoMs, state, nextNumber, dueInSeconds, errorKind } of attempts) {
        const row = view.get(callbacks, id);
        if (row === undefined || row.leaseToken !== token) continue;
        const endedAt = view.now + business.aheadMs - agoMs;
        const nextAt = dueInSeconds === null ? null : endedAt + dueInSeconds * 1_000;
        const dueAt = state === null ? row.dueAt : nextAt;
        view.put(callbacks, {
          ...row,
          state: state ?? row.state,
          nextNumber: nextNumber ?? row.nextNumber,
          dueAt,
          leaseUntil: null,
          leaseToken: null,
        });
        const attempt = view.get(callbackAttempts, `${id} ${series} ${number}`);
        if (attempt !== undefined) view.put(callbackAttempts, { ...attempt, endedAt, errorKind });
        written.add(id);
      }
      return { written, failed: new Map() };
    }),
} satisfies Partial<Module>;
