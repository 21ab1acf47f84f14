import { watch } from "node:fs";
import type { Part } from "#server/process/supervisor.ts";

/** Editors write a file in several strokes, and a change is often of several files. */
const SETTLE_MS = 300;

/** While developing: ends a part in good order when a source file below one of the folders changes, so that its supervisor starts it again. */
export function restartOnChange(part: Part, folders: readonly string[]): Part {
  return {
    name: part.name,
    start: async (signal) => {
      const running = await part.start(signal);
      let changed: string | null = null;
      let timer: NodeJS.Timeout | undefined;
      const watchers = folders.map((folder) =>
        watch(folder, { recursive: true }, (_event, file) => {
          if (file === null || !/(?<!\.test)\.ts$/.test(file)) return;
          changed ??= file;
          clearTimeout(timer);
          timer = setTimeout(() => void running.stop(), SETTLE_MS);
        }),
      );
      const exited = running.exited.then((how) => {
        clearTimeout(timer);
        for (const watcher of watchers) watcher.close();
        return changed === null ? how : `${changed} changed`;
      });
      return { exited, stop: () => running.stop() };
    },
  };
}
