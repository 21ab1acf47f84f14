import { translated } from "../../../_words/translation.ts";
import { NEW_PARTNER, PAGE } from "./words.ts";

/** French. */
export const NEW_PARTNER_WORDS_FR = translated(
  { PAGE, NEW_PARTNER },
  {
    PAGE: { title: "Nouveau partenaire" },
    NEW_PARTNER: {
      partnerPage: "sa page",
      nameWanted: "Saisissez un nom",
      slugWanted: "Utilisez des lettres minuscules et des chiffres, séparés par des tirets simples",
      walletAddress: "Adresse du portefeuille",
      feePercent: "Frais en pour cent",
      feeHint: "Sur ses approvisionnements et retraits ; jamais sur un règlement",
      createPartner: "Créer le partenaire",
      firstKey: "Première clé",
      partnerCreated: "Partenaire créé",
      firstKeyOf: (name) => `Première clé de ${name}`,
      slugTaken: "Un autre partenaire a déjà cet identifiant court",
      slugFree: "Libre",
      slugHint: "Unique. Utilisé dans les chemins et au téléphone",
      walletKnown: "Une adresse sur l’une de nos chaînes",
      walletHint: "Facultatif : le Safe propre au partenaire, depuis lequel il retire",
      keyMissing: "Le partenaire a été créé, mais pas sa première clé. Réessayez, ou créez-en une sur {page}.",
    },
  },
);
