import { plural } from "../_words/plural.fr.ts";
import { translated } from "../_words/translation.ts";
import { BROWSER_WORDS, PASSKEY_SENTENCES, SIGN_IN } from "./words.ts";

/** French. */
export const FORMAT_WORDS_FR = translated(
  { SIGN_IN, PASSKEY_SENTENCES, BROWSER_WORDS },
  {
    SIGN_IN: {
      refused: {
        invalid_credentials: "L’adresse e-mail, le mot de passe ou le second facteur est incorrect.",
        NotAllowedError: "La clé d’accès n’a pas été utilisée : opération annulée ou trop longue. Réessayez, ou saisissez un code.",
        single_sign_on_required: "Votre entreprise se connecte avec sa propre identité. Utilisez le bouton prévu.",
        provider_refused:
          "La connexion avec l’identité de votre entreprise a été refusée. Si vous avez un compte ici, connectez-vous-y et associez l’identité sous Compte. Sinon, adressez-vous à la personne qui gère les accès dans votre entreprise.",
        provider_away: "Le fournisseur d’identité de votre entreprise ne répond pas. Réessayez dans un instant.",
        one_time_code_required: "Saisissez le code à usage unique de votre application d’authentification.",
        CredentialsSignin: "Saisissez votre adresse e-mail et votre mot de passe.",
        temporarily_unavailable: "Le service est temporairement indisponible. Réessayez dans un instant.",
      },
      silent: "Le service n’a pas répondu. Réessayez dans un instant.",
      tooMany: (seconds) => `Trop de tentatives échouées. Réessayez dans ${seconds} ${plural(seconds, "seconde", "secondes")}.`,
      otherwise: "La connexion n’a pas abouti. Réessayez.",
    },
    PASSKEY_SENTENCES: {
      NotAllowedError: "La clé d’accès n’a pas été utilisée : opération annulée ou trop longue.",
      InvalidStateError: "Cet appareil contient déjà une de vos clés d’accès.",
      NotSupportedError: "Ce navigateur ne prend pas en charge les clés d’accès.",
      SecurityError: "Le navigateur n’autorise pas les clés d’accès à cette adresse.",
    },
    BROWSER_WORDS: {
      unknownBrowser: "Un navigateur inconnu",
      device: (browser, system) => `${browser} sur ${system}`,
    },
  },
);
