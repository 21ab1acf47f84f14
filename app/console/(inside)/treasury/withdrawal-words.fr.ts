import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { WITHDRAWAL_DIALOG, WITHDRAWALS } from "./withdrawal-words.ts";

/** French. */
export const TREASURY_WITHDRAWAL_WORDS_FR = translated(
  { WITHDRAWALS, WITHDRAWAL_DIALOG },
  {
    WITHDRAWALS: {
      title: "Retraits de trésorerie",
      explained:
        "La crypto que l’opérateur retire de ses propres portefeuilles. Deux administrateurs différents signent chaque retrait avec une clé d’accès, et le processus de signature vérifie les deux signatures et la destination avant de payer.",
      caption: "Retraits de trésorerie, les plus récents d’abord",
      none: "Rien n’a été retiré",
      noneMore: "Un administrateur propose un retrait, et deux le signent.",
      noPlace: "Les paramètres n’indiquent aucune destination, donc rien ne peut être proposé.",
      propose: "Proposer un retrait",
      sender: "portefeuille",
      destination: "destination",
      states: {
        proposed: "Attend les signatures",
        owed: "Paiement en cours",
        paid: "Payé",
        unpaid: "Non payé",
        rejected: "Rejeté",
      },
      signed: (signed, needed) => `${plural(signed, `${signed} signature`, `${signed} signatures`)} sur ${needed}`,
      proposedBy: "Proposé par {name}, {time}",
      signedBy: "Signé par {names}",
      transaction: "Transaction",
      transactionNoun: "transaction",
      sign: "Signer",
      signOne: (amount) => `Signer le retrait de ${amount}`,
      rejectOne: (amount) => `Rejeter le retrait de ${amount}`,
      cancelOne: (amount) => `Annuler le retrait de ${amount}`,
    },
    WITHDRAWAL_DIALOG: {
      propose: {
        title: "Proposer un retrait",
        explained:
          "Rien ne bouge avant que deux administrateurs différents aient signé. Seules les destinations des paramètres peuvent être choisies.",
        button: "Proposer le retrait",
        toast: "Le retrait est proposé. Deux administrateurs doivent le signer.",
      },
      sign: {
        title: "Signer ce retrait ?",
        explained:
          "Votre clé d’accès signe exactement ce que montre la fenêtre suivante. Avec la signature du deuxième administrateur, le retrait est payé.",
        button: "Signer le retrait",
        toast: "Signé. Un autre administrateur doit signer aussi.",
      },
      reject: {
        title: "Rejeter ce retrait ?",
        explained: "Il prend fin, et rien n’est payé. Les signatures données ne valent pour rien d’autre.",
        button: "Rejeter le retrait",
        toast: "Le retrait est rejeté",
      },
      cancel: {
        title: "Annuler ce retrait ?",
        explained:
          "Son paiement est annulé comme tout autre : immédiatement s’il n’est pas signé, sinon par un transfert vide sous son nonce.",
        button: "Annuler le retrait",
        toast: "L’annulation du retrait est en cours",
      },
      signedByTwo: "Signé par deux personnes. Le paiement commence.",
      proposedToAdmin: "Proposé. Un autre administrateur doit confirmer sous Propositions.",
      out: "Depuis le portefeuille",
      currency: "Devise",
      into: "Vers la destination",
    },
  },
);
