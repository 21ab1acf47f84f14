import { mkdirSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";

/** A mail as it came over the wire. */
export type CaughtMail = { from: string; to: string[]; text: string };
export type MailCatcher = { url: string; mails: CaughtMail[]; close(): Promise<void> };

/** How the next mails are answered after their text; a test has it refuse, or say nothing at all. */
type Answer = (mail: CaughtMail) => string | null;

/** A mail server on this machine that stores its mail, and forwards nothing. */
export async function catchMail(
  { port = 0, onMail }: { port?: number; onMail?: (mail: CaughtMail) => void } = {},
  answer?: Answer,
): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => {});
    serve(socket, (mail) => {
      const said = answer === undefined ? "250 kept" : answer(mail);
      if (said?.startsWith("2")) {
        mails.push(mail);
        onMail?.(mail);
      }
      return said;
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  server.unref();
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the mail catcher has no port");
  return {
    url: `smtp://localhost:${address.port}`,
    mails,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A mail server of the sandbox's own: what people are sent lies in `mail`, a file each, and goes nowhere. Answers its address. */
export async function keepMail(directory: string): Promise<string> {
  const folder = join(directory, "mail");
  mkdirSync(folder, { recursive: true });
  let caught = 0;
  const { url } = await catchMail({
    onMail: ({ text }) => {
      caught += 1;
      writeFileSync(join(folder, `${Date.now()}-${caught}.eml`), text);
    },
  });
  return url;
}

/** The part of RFC 5321 that today's senders use. */
function serve(socket: net.Socket, take: Answer): void {
  let rest = "";
  let text: string[] | null = null;
  let mail: CaughtMail = { from: "", to: [], text: "" };
  const say = (line: string) => socket.write(`${line}\r\n`);
  const hear = (line: string) => {
    if (text !== null) {
      if (line !== ".") return void text.push(line.startsWith(".") ? line.slice(1) : line);
      const said = take({ ...mail, text: text.join("\n") });
      [text, mail] = [null, { from: "", to: [], text: "" }];
      return said === null ? undefined : void say(said);
    }
    const word = line.slice(0, 4).toUpperCase();
    if (word === "EHLO") return void say("250-localhost\r\n250 8BITMIME");
    if (word === "MAIL") mail.from = addressIn(line);
    if (word === "RCPT") mail.to.push(addressIn(line));
    if (word === "DATA") {
      text = [];
      return void say("354 go on");
    }
    if (word === "QUIT") return void socket.end("221 bye\r\n");
    say("250 well");
  };
  say("220 localhost");
  socket.on("data", (bytes: Buffer) => {
    const lines = (rest + bytes.toString("utf8")).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? "";
}
