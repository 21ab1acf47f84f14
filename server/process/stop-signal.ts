/** Ends with the reason when this process is to stop: a signal, or the end of its parent. */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, () => resolve(name));
    if (process.channel) process.once("disconnect", () => resolve("the parent is gone"));
  });
}
