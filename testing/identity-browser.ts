/** Sends a request to the service, as a browser with these cookies. `target`: path and query. */
export type AskService = (target: string, cookie: string) => Promise<Response>;
/** What a person does at the provider's pages. Returns the address to which the provider sends the browser back. */
export type AtProvider = (browser: IdentityBrowser, url: URL) => Promise<URL>;

/** A browser without pages: it signs in through a provider, and keeps the cookies of the service and of the provider. */
export class IdentityBrowser {
  readonly here = new Map<string, string>();
  readonly there = new Map<string, string>();
  readonly #ask: AskService;

  constructor(ask: AskService) {
    this.#ask = ask;
  }

  /** Where the service sends the browser at last, and the target at which it heard the provider's answer. */
  async signIn(providerId: string, atProvider: AtProvider, query = ""): Promise<{ at: string; answer: string }> {
    const started = await this.atService(`/api/oidc/start/${providerId}${query}`);
    const { search } = await atProvider(this, new URL(started.headers.get("location") ?? ""));
    const answer = `/api/oidc/callback/${providerId}${search}`;
    return { at: (await this.atService(answer)).headers.get("location") ?? "", answer };
  }

  /** A request to the service. */
  async atService(target: string): Promise<Response> {
    const answer = await this.#ask(target, textOf(this.here));
    keep(this.here, answer);
    return answer;
  }

  /** A request to the provider. Redirects are answers. */
  async atProvider(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", textOf(this.there));
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    keep(this.there, answer);
    return answer;
  }

  /** The value of the session's cookie at the service. */
  session(): string {
    const [, value] = [...this.here].find(([name]) => name.endsWith(".session")) ?? [];
    if (value === undefined) throw new Error("nobody is signed in");
    return value;
  }
}

const textOf = (jar: ReadonlyMap<string, string>) => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

function keep(jar: Map<string, string>, answer: Response): void {
  for (const line of answer.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "") jar.delete(name);
    else jar.set(name, value);
  }
}
