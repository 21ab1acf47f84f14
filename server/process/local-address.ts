/** Where programs of this machine reach the web process, however much further it listens. */
export function localAddress({ host, port }: { host: string; port: number }): string {
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}
