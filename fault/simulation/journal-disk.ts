import { JournalUnwritable } from "#domain/journal.ts";
import type { Disk } from "#server/adapters/journal/disk.ts";
import type { Gate } from "./gate.ts";

/** The file of the signing journal, on the one machine that all workers share. */
export type JournalFile = {
  bytes: Buffer | null;
  /** So much of it survives a crash of the machine. */
  durable: number;
  /** Until when it takes nothing, or only a part. */
  fullUntil: number;
};

export const newJournalFile = (): JournalFile => ({ bytes: null, durable: 0, fullUntil: 0 });

/** Whether the file names it, in the part that survives a crash. */
export const isDurable = ({ bytes, durable }: JournalFile, hash: string) => bytes?.subarray(0, durable).includes(hash) === true;

/** The machine crashed: of what was not made durable, some is lost. */
export function crashDisk(file: JournalFile, share: number): void {
  if (file.bytes === null) return;
  const kept = file.durable + Math.floor((file.bytes.length - file.durable) * share);
  file.bytes = file.bytes.subarray(0, kept);
}

/** The file as one process sees it. `now`: simulated time. `share`: how much of a write a full disk takes. */
export function journalDisk(file: JournalFile, gate: Gate, now: () => number, share: () => number): Disk {
  const step = async (name: string) => {
    const taken = gate.step(name);
    if (taken !== undefined) await taken;
  };
  return {
    name: "journal",
    look: async () => (file.bytes === null ? null : { id: "1", size: file.bytes.length }),
    readFrom: async (byte) => Buffer.from((file.bytes ?? Buffer.alloc(0)).subarray(byte)),
    async append(bytes) {
      await step("append to journal");
      const isFull = now() < file.fullUntil;
      const taken = isFull ? bytes.subarray(0, Math.floor(bytes.length * share())) : bytes;
      file.bytes = Buffer.concat([file.bytes ?? Buffer.alloc(0), taken]);
      if (isFull) throw new JournalUnwritable("The signing journal takes nothing (ENOSPC): nothing is sent.");
      await step("journal appended");
    },
    async sync() {
      await step("make journal durable");
      file.durable = file.bytes?.length ?? 0;
    },
    async create(bytes) {
      await step("create journal");
      if (file.bytes !== null) return false;
      file.bytes = bytes;
      file.durable = bytes.length;
      return true;
    },
  };
}
