import { z } from "zod";

/** A wallet's key in another place that needs no secret from here. */
type KeyElsewhere =
  | { signer: "sandbox"; keyFile: string }
  | {
      signer: "remote";
      url: string;
      address: string;
      clientCertificate: { certFile: string; keyFile: string; caFile: string | null } | null;
    }
  | { signer: "aws-kms"; key: string; region: string; address: string; endpoint: string | null };
/** The key with that label in the token with that label, through the maker's library. */
type KeyInToken = { signer: "pkcs11"; library: string; token: string; key: string; address: string };

/** A treasury wallet and its signer. File paths are absolute. */
export type WalletConfig =
  | KeyElsewhere
  | { signer: "keystore"; file: string; password: string }
  | (KeyInToken & { pin: string /** The part of the environment that the library sees. */; env: Readonly<Record<string, string>> });

/** As written: the password of a keystore and the PIN of a token are named, not given. */
export type NamedWallet =
  | KeyElsewhere
  | { signer: "keystore"; file: string; passwordEnv: string }
  | (KeyInToken & { pinEnv: string; libraryEnv: readonly string[] });

export const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "wants an address of 0x and 40 hexadecimal digits");
export const webUrl = z.url({ protocol: /^https?$/, error: "wants an http or https URL" });

const variable = z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, "wants the name of an environment variable");
const label = z.string().min(1, "wants a label").max(32, "is longer than 32 characters");

const inFiles = [
  z.strictObject({ signer: z.literal("sandbox"), key_file: z.string().min(1) }),
  z.strictObject({
    signer: z.literal("keystore"),
    file: z.string().min(1),
    password_env: z.string().regex(/^[A-Z][A-Z0-9_]*$/, "wants the name of an environment variable"),
  }),
] as const;

/** A treasury wallet on a chain whose payments lapse: its key is in a file. */
export const walletInFile = z.discriminatedUnion("signer", inFiles, "wants keystore, in the sandbox also sandbox");

/** A treasury wallet, as the settings write it. */
export const wallet = z.discriminatedUnion(
  "signer",
  [
    ...inFiles,
    z.strictObject({
      signer: z.literal("remote"),
      url: webUrl,
      address: evmAddress,
      client_certificate: z
        .strictObject({ cert_file: z.string().min(1), key_file: z.string().min(1), ca_file: z.string().min(1).optional() })
        .optional(),
    }),
    z.strictObject({
      signer: z.literal("pkcs11"),
      library: z.string().min(1),
      token: label,
      key: z.string().min(1).max(255),
      pin_env: variable,
      address: evmAddress,
      library_env: z.array(variable).default([]),
    }),
    z.strictObject({
      signer: z.literal("aws-kms"),
      key: z.string().regex(/^[!-~]{1,2048}$/, "wants the id, ARN or alias of a key"),
      region: z.string().regex(/^[a-z]{2}(-[a-z0-9]+)+$/, "wants the name of a region, such as eu-central-1"),
      address: evmAddress,
      endpoint: webUrl.optional(),
    }),
  ],
  "wants keystore, remote, pkcs11 or aws-kms, in the sandbox also sandbox",
);

type WrittenWallet = z.infer<typeof wallet>;

/** `path`: where a file that it names is. */
export function toWallet(one: WrittenWallet, path: (file: string) => string): NamedWallet {
  switch (one.signer) {
    case "sandbox":
      return { signer: "sandbox", keyFile: path(one.key_file) };
    case "keystore":
      return { signer: "keystore", file: path(one.file), passwordEnv: one.password_env };
    case "pkcs11": {
      const { pin_env: pinEnv, library_env: libraryEnv, library, ...rest } = one;
      return { ...rest, library: path(library), pinEnv, libraryEnv };
    }
    case "aws-kms":
      return { ...one, endpoint: one.endpoint ?? null };
    case "remote": {
      const { client_certificate: files, ...rest } = one;
      const caFile = files?.ca_file === undefined ? null : path(files.ca_file);
      return {
        ...rest,
        clientCertificate: files === undefined ? null : { certFile: path(files.cert_file), keyFile: path(files.key_file), caFile },
      };
    }
  }
}

/** The variables that a wallet's settings name and that open its key. */
export function secretsOf(wallet: NamedWallet): string[] {
  if (wallet.signer === "keystore") return [wallet.passwordEnv];
  if (wallet.signer === "pkcs11") return [wallet.pinEnv];
  return wallet.signer === "aws-kms" ? [...AWS_SECRETS] : [];
}

/** What opens an account of AWS, as its own tools name it. */
const AWS_SECRETS = [
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
] as const;
