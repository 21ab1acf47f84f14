/** What the tests use of oidc-provider, which brings no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Asked = { oidc: { client?: { clientId: string }; session?: { accountId: string } } };
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };
  type Account = { accountId: string; claims(): Promise<Record<string, unknown>> };

  type Settings = {
    clients: Record<string, unknown>[];
    jwks: { keys: object[] };
    cookies: { keys: string[] };
    claims: Record<string, string[]>;
    acrValues: string[];
    features: Record<string, { enabled: boolean }>;
    interactions: { url(asked: Asked, interaction: { uid: string }): string };
    fetch(url: string, options: RequestInit): Promise<Response>;
    findAccount(asked: Asked, id: string): Promise<Account | undefined>;
    loadExistingGrant(asked: Asked): Promise<Grant>;
  };

  export class Provider {
    constructor(issuer: string, settings: Settings);
    readonly Grant: new (of: {
      clientId: string | undefined;
      accountId: string | undefined;
    }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string; acr?: string } },
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
