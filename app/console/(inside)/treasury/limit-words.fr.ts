import { translated } from "../../_words/translation.ts";
import { LIMIT, LIMIT_DIALOG, LIMITS } from "./limit-words.ts";

/** French. */
export const TREASURY_LIMIT_WORDS_FR = translated(
  { LIMITS, LIMIT_DIALOG, LIMIT },
  {
    LIMITS: {
      explanation:
        "Les règlements, approvisionnements, retraits fiat et restitutions au-delà d’un plafond sont acceptés. Ils attendent un administrateur avant d’être payés. Si plusieurs plafonds du même type et de la même période correspondent à un paiement, le plus précis s’applique.",
      none: "Rien n’est plafonné",
      noneMore: "La clé d’un partenaire peut dépenser jusqu’au maximum d’une paire, encore et encore, tant que personne ne le remarque.",
      replacedVersions: "Versions remplacées",
      choosePair: "Choisissez une paire",
      stop: "Arrêt d’urgence",
      stopExplained:
        "À partir de ce moment, rien de nouveau n’est signé. Les règlements confirmés entre-temps attendent et reprennent quand l’arrêt est levé. Arrêtez une chaîne ou un portefeuille sous Portefeuilles.",
      stopEverything: "Tout arrêter",
      stopPair: "Arrêter la paire",
      limit: "Plafond",
      since: "Depuis",
      replacedLine: (version) => `{id}, version ${version}, {time} : {limit}. {rest}`,
    },
    LIMIT_DIALOG: {
      proposedMore: "Le plafond s’applique dès qu’un autre administrateur le confirme.",
      savedMore: (id) => `Le plafond ${id}`,
      changeLimit: (id) => `Modifier le plafond ${id}`,
      saveLimit: "Enregistrer le plafond",
      setLimit: "Fixer le plafond",
      kind: "Ce qui est plafonné",
      counted: "Comptage",
      within: "Période",
      amountHint: "En unités du jeton ; ou",
      walletAmountHint: "En unités du jeton",
      times: "Multiple du maximum de la paire",
      timesHint: "Un nombre entier, si aucun montant n’est fixé",
      creditHint: "Dans la devise source",
      hours: "Heures",
      hoursHint: "Passé ce délai, elle est considérée comme connue",
      destinations: "Destinations",
      destinationsHint: "Un portefeuille ou un compte de bénéficiaire par ligne",
      everyPurpose: "Tout paiement",
      emptyAny: "Vide : sans restriction",
    },
    LIMIT: {
      kinds: {
        velocity: "Paiements sur une période",
        wallet: "Paiements depuis un portefeuille de trésorerie sur une période",
        credit_line: "Montant dû par un partenaire",
        new_destination: "Nouvelles destinations",
        new_key: "Nouvelles clés d’API",
        allow_list: "Destinations autorisées uniquement",
        open_quotes: "Cotations ouvertes",
        open_loss: "Perte sur cotations ouvertes",
      },
      purposes: {
        settlement: "Règlements",
        topup: "Approvisionnements",
        withdrawal: "Retraits fiat",
        return: "Restitutions à un Safe",
      },
      counted: {
        partner: "par partenaire",
        pair: "par paire d’un partenaire",
        destination: "par destination",
        member: "par membre",
        all: "tous ensemble",
      },
      windows: { hour: "Une heure", day: "Un jour" },
      modes: { enforce: "Retient les paiements au-delà", dry_run: "Enregistre seulement", off: "Désactivé" },
      mode: { enforce: "Retient", dry_run: "Enregistre seulement", off: "Désactivé" },
      within: { hour: "une heure", day: "un jour" },
      amount: (amount, token) => `${amount} ${token ?? "en jetons"}`,
      times: (times) => `${times} × le maximum de la paire`,
      velocity: (most, window, counted) => `Au plus ${most} en ${window}, ${counted}`,
      wallet: (most, window) => `Au plus ${most} en ${window} depuis chaque portefeuille de trésorerie`,
      creditLine: (most) => `Un partenaire doit au plus ${most}`,
      openQuotes: (most) => `Plus aucune cotation au-delà de ${most} de cotations ouvertes`,
      openLoss: (most) => `Plus aucune cotation dès que le taux a coûté ${most} sur les cotations ouvertes`,
      newDestination: (hours) => `Une destination est connue ${hours} h après son premier paiement`,
      newKey: (hours) => `Une clé d’API est connue ${hours} h après sa création`,
      allowList: (destinations) =>
        destinations < 2
          ? `Seule ${destinations} destination de la liste est payée`
          : `Seules ${destinations} destinations de la liste sont payées`,
      any: "tout",
      everybody: "Tous",
    },
  },
);
