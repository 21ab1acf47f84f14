import { translated } from "../_words/translation.ts";
import { ENROL, ENROL_FIRST, PAGE } from "./words.ts";

/** French. */
export const SIGN_IN_WORDS_FR = translated(
  { PAGE, ENROL, ENROL_FIRST },
  {
    PAGE: {
      title: "Se connecter",
      sandbox: "Bac à sable",
      docs: "Vous intégrez l’API ? Lisez la {link}.",
      documentation: "documentation",
      status: "Un problème ? Consultez {link}.",
      statusPage: "l’état du service",
      companies: "Se connecter avec l’identité de votre entreprise",
      or: "ou",
      continueWith: "Continuer avec {name}",
    },
    ENROL: {
      why: (name, role) => `${name}, votre rôle (${role.toLowerCase()}) vous fait décider des règlements. Un mot de passe n’y suffit pas.`,
    },
    ENROL_FIRST: {
      passkey: "Ou, à la place d’une application, utilisez votre empreinte, votre visage, un code PIN ou une clé de sécurité :",
    },
  },
);
