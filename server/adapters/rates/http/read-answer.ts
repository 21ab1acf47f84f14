import { Rejected, Unreachable } from "#server/ports.ts";

export type Answer = {
  text: string /** Real time at which it arrived, less what a cache on the way says it has kept it for. */;
  asOf: Date;
};
export type ReadAnswer = {
  url: string;
  headers?: Readonly<Record<string, string>>;
  maximumBytes: number;
  signal: AbortSignal;
  now: () => Date;
};

/**
 * Reads what a source says, never more than `maximumBytes` of it and never after `signal`. A redirect is no answer: it could
 * lead into our own network.
 *
 * @throws Unreachable when nothing is known, Rejected when the source answered something else than a price.
 */
export async function readAnswer(request: ReadAnswer): Promise<Answer> {
  try {
    const response = await fetch(request.url, {
      headers: { accept: "application/json, application/xml;q=0.9", ...request.headers },
      redirect: "error",
      signal: request.signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Rejected(`the source answered ${response.status}`);
    }
    const text = await readText(response, request.maximumBytes);
    return { text, asOf: new Date(request.now().getTime() - ageOf(response) * 1_000) };
  } catch (cause) {
    if (cause instanceof Rejected) throw cause;
    throw new Unreachable(request.signal.aborted ? "the source took too long" : "the source cannot be reached", { cause });
  }
}

async function readText(response: Response, maximumBytes: number): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let length = 0;
  // Leaving the loop early cancels the body and closes the connection.
  for await (const chunk of response.body) {
    length += chunk.byteLength;
    if (length > maximumBytes) throw new Rejected(`the answer is longer than ${maximumBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function ageOf(response: Response): number {
  const age = response.headers.get("age") ?? "";
  return /^\d{1,9}$/.test(age) ? Number(age) : 0;
}
