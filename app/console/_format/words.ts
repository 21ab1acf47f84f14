/** Texts for signing in and for the step-up. */

/** Why signing in did not work. */
export const SIGN_IN = {
  refused: {
    invalid_credentials: "The e-mail address, the password or the second factor is wrong.",
    // The browser's errors, by name.
    NotAllowedError: "The passkey was not used, because it was cancelled or took too long. Try again, or enter a code.",
    single_sign_on_required: "Your company signs in with its own identity. Use the button for it.",
    provider_refused:
      "The sign-in with your company's identity was refused. If you have an account here, sign in to it and link the identity under Account. Otherwise ask who manages access in your company.",
    provider_away: "Your company's identity provider does not answer. Try again in a moment.",
    one_time_code_required: "Enter the one-time code from your authenticator app.",
    CredentialsSignin: "Enter your e-mail address and your password.",
    temporarily_unavailable: "The service is temporarily unavailable. Try again in a moment.",
  } as Readonly<Record<string, string>>,
  silent: "The service did not answer. Try again in a moment.",
  tooMany: (seconds: number) => `Too many failed attempts. Try again in ${seconds} seconds.`,
  otherwise: "Signing in did not work. Try again.",
};

/** Texts for the browser's passkey errors, by error name. */
export const PASSKEY_SENTENCES: Readonly<Record<string, string>> = {
  NotAllowedError: "The passkey was not used, because it was cancelled or took too long.",
  InvalidStateError: "This device already has a passkey of yours.",
  NotSupportedError: "This browser does not support passkeys.",
  SecurityError: "The browser does not allow passkeys on this address.",
};

/** How {@link browserOf} names a browser. */
export const BROWSER_WORDS = {
  unknownBrowser: "An unknown browser",
  device: (browser: string, system: string) => `${browser} on ${system}`,
};
