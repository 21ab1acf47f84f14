/** The address of the web process for programs on this machine, whatever address it listens on. */
export function localAddress({ host, port }: { host: string; port: number }): string {
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}
