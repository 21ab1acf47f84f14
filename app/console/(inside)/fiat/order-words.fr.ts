import { translated } from "../../_words/translation.ts";
import { CANCEL_ORDER, ORDER_DIALOG, ORDER_FORM, ORDER_REVIEW, REVIEW_SUM } from "./order-words.ts";

/** French. */
export const FIAT_ORDER_WORDS_FR = translated(
  { ORDER_DIALOG, CANCEL_ORDER, ORDER_FORM, ORDER_REVIEW, REVIEW_SUM },
  {
    ORDER_DIALOG: {
      withdrawal: {
        title: "Nouveau retrait",
        ask: (amount) => `Retirer ${amount}`,
        already: "Ce retrait existe déjà",
        queued: "Retrait mis en file",
      },
      topup: {
        title: "Nouvel approvisionnement",
        ask: (amount) => `Encaisser ${amount}`,
        already: "Cet approvisionnement existe déjà",
        queued: "Approvisionnement mis en file",
      },
    },
    CANCEL_ORDER: {
      keep: "Conserver",
      withdrawal: {
        cancel: "Annuler le retrait",
        title: "Annuler ce retrait ?",
        consequence:
          "Le Safe garde sa crypto, la réservation dans la réserve prend fin et le bénéficiaire ne reçoit rien. Cette action est irréversible.",
        cancelled: "Retrait annulé",
      },
      topup: {
        cancel: "Annuler l’approvisionnement",
        title: "Annuler cet approvisionnement ?",
        consequence: "Personne n’est invité à payer, et aucune crypto n’est envoyée. Cette action est irréversible.",
        cancelled: "Approvisionnement annulé",
      },
    },
    ORDER_FORM: {
      urlWanted: "Saisissez une URL complète, https://…",
      memberWanted: "Choisissez un membre.",
      between: (minimum, maximum) => `De ${minimum} à ${maximum}`,
      amountWanted: "Saisissez un montant, par exemple 1,234.50.",
      available: (available) => `${available} disponibles`,
      accountHint: "Numéro de téléphone ou de compte",
      accountWanted: "Saisissez un numéro de téléphone ou de compte.",
      holder: "Nom du titulaire du compte",
      holderWanted: "Saisissez le nom du titulaire du compte.",
      callbackAddress: "Adresse de callback",
      referenceWanted: "Saisissez votre référence.",
      outOf: "Depuis",
      noneOwn: "(aucun)",
      memberHint: "L’identifiant externe du membre. Tapez pour rechercher par nom ou téléphone.",
      memberSafe: "Le Safe d’un membre",
      memberWalletOption: (name) => `${name}, portefeuille propre`,
      memberSafeOption: (name, state) => `${name}, Safe : ${state.toLowerCase()}`,
      topup: {
        amount: "À encaisser",
        crypto: "Livrer",
        account: "Encaisser depuis",
        reference: "Votre référence. La réutiliser ne crée pas un deuxième approvisionnement.",
      },
      withdrawal: {
        amount: "À verser",
        crypto: "Prélever",
        account: "Verser à",
        reference: "Votre référence. La réutiliser ne crée pas un deuxième retrait.",
      },
    },
    ORDER_REVIEW: {
      collectedFrom: "Encaissé depuis",
      deliveredTo: "Livré à",
      topupNote: "Le prix est fixé lors de l’encaissement. Il ne change pas, quel que soit le retard du payeur.",
      notCovered: (crypto) => `Le Safe ne contient pas assez de ${crypto} pour ce retrait.`,
      safeBalance: "Solde du Safe",
      poolAvailable: "Disponible dans la réserve",
      withdrawalNote: "Le prix est fixé lors du retrait. Il peut différer de celui-ci si le taux bouge entre-temps.",
    },
    REVIEW_SUM: {
      withdrawal: "Calcul du retrait",
      toPayee: "Au bénéficiaire",
      partnersFee: "Frais du partenaire",
      feeNote: (feePercentage) => `${feePercentage} %, arrondi à l’inférieur`,
      toCover: "À couvrir",
      per: (one, other) => `${one} par ${other}`,
      withdrawalNote: (total, rate) => `${total} ÷ ${rate}, arrondi au supérieur`,
      topup: "Calcul de l’approvisionnement",
      fromPayer: "Du payeur",
      toConvert: "À convertir",
      topupNote: (total, rate) => `${total} × ${rate}, arrondi à l’inférieur`,
      withSpread: "marge comprise",
    },
  },
);
