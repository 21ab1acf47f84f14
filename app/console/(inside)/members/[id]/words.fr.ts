import { plural } from "../../../_words/plural.fr.ts";
import { translated } from "../../../_words/translation.ts";
import { MEMBER_PAGE, ORDERS_PART, PAGE, SAFE_PART, STORY } from "./words.ts";

/** French. */
export const MEMBER_WORDS_FR = translated(
  { PAGE, MEMBER_PAGE, SAFE_PART, ORDERS_PART, STORY },
  {
    PAGE: { title: "Membre" },
    MEMBER_PAGE: {
      memberId: "identifiant du membre",
      editShortcut: "Modifier ce membre",
      edit: "Modifier",
      topUp: "Approvisionner",
      volume: "Volume sur 30 jours",
    },
    SAFE_PART: {
      reasonUnknown: "la raison est inconnue.",
      queuedMore: (externalUserId) => `Un Safe est déployé pour ${externalUserId}.`,
      deployAgain: "Déployer de nouveau",
      readingChain: "Lecture de la chaîne",
      refresh: "Actualiser",
      ownWallet: "Le membre a apporté ce portefeuille. Ce n’est pas un Safe, et seul son propriétaire peut en déplacer les fonds.",
      noSafe: "Il n’y a pas de Safe à cette adresse sur la chaîne.",
      safesAddress: "adresse du Safe",
      ofOwners: (threshold, owners) => `${threshold} sur ${owners} ${plural(owners, "propriétaire", "propriétaires")}`,
      owners: (count) => plural(count, "Propriétaire", "Propriétaires"),
      balance: (currency) => `Contient ${currency}`,
      failed: "Le Safe n’a pas pu être déployé : {reason}",
      readAt: (block) => `Lu au bloc ${block}, {time}`,
      nonce: "Transactions à ce jour (nonce)",
      modules: "Modules",
      module: "module",
      fallbackHandler: "Gestionnaire de repli",
      fallbackHandlerNoun: "gestionnaire de repli",
      guard: "Garde",
      guardNoun: "garde",
      logic: "Logique (contrat maître)",
      masterCopy: "contrat maître",
    },
    ORDERS_PART: {
      topUpsCaption: "Derniers approvisionnements du membre",
      withdrawalsCaption: "Derniers retraits du membre",
      allOrders: "Tous ceux de ce membre",
    },
    STORY: {
      safeDeployed: "Safe déployé",
      safeFailed: "Safe échoué",
      events: {
        "member.created": "Créé",
        "member.updated": "Modifié",
        "member.safe_requested": "Safe redemandé",
      },
      fields: { phone: "téléphone", name: "nom", email: "adresse e-mail" },
      changed: (event, fields) => `${event} : ${fields}`,
    },
  },
);
