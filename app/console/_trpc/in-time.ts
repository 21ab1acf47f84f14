/** The result of a read, or an error within some seconds: a server-rendered page never waits longer for its database. */
export async function inTime<Value>(reading: Promise<Value>, ms = 6_000): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error("no answer came in time"), { name: "Unreachable" })), ms);
  });
  return await Promise.race([reading, patience]).finally(() => clearTimeout(timer));
}
