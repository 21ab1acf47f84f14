import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { BOOKS, CHAIN_BOARD, COSTS, HALTS, NONCE_QUEUE, PAGE, TREASURY_SCREEN, WALLET_BOARD } from "./words.ts";

/** French. */
export const TREASURY_WORDS_FR = translated(
  { PAGE, TREASURY_SCREEN, CHAIN_BOARD, WALLET_BOARD, NONCE_QUEUE, HALTS, COSTS, BOOKS },
  {
    PAGE: { title: "Trésorerie" },
    TREASURY_SCREEN: {
      tabs: "Parties de la trésorerie",
      wallets: "Portefeuilles",
      none: "Aucune chaîne n’est configurée",
      noneMore: "Ajoutez-en une à la configuration, avec ses nœuds et un processus de signature, puis redémarrez le worker.",
      suspense: "Compte d’attente",
      books: "Livres",
    },
    CHAIN_BOARD: {
      heading: (chain) => chain,
      haltChain: "Arrêter la chaîne",
      uncovered:
        "Aucune source de filtrage ne couvre les adresses de cette chaîne. Chaque paiement attend qu’un administrateur le débloque.",
      runsLow: (currencies) => `Solde bas : ${currencies}. Si les fonds ne suffisent pas, les paiements attendent ; ils n’échouent pas.`,
      partlyLow: (currency, low, wallets) =>
        `${currency} : solde bas dans ${plural(low, `${low} portefeuille`, `${low} portefeuilles`)} sur ${wallets}. ${
          wallets - low === 1
            ? "L’autre continue de payer. Les paiements qu’il ne peut pas effectuer attendent"
            : "Les autres continuent de payer. Les paiements qu’ils ne peuvent pas effectuer attendent"
        } ; ils n’échouent pas.`,
      final: (confirmations) =>
        `Définitif après ${plural(confirmations, `${confirmations} confirmation`, `${confirmations} confirmations`)}`,
      runway: (name) => `Durée des fonds sur ${name}`,
      usedLastDay: "Utilisé, 24 h",
      queuedUnsigned: "En file, non signé",
      atMost: "au plus",
      noWallet: "Le service n’a encore trouvé aucun portefeuille sur cette chaîne. Configurez un processus de signature.",
      unscreened: "Les destinataires ne sont pas filtrés",
      noScreeningSource: "Aucune source ne filtre les destinataires",
      screenedBy: (sources) => `Destinataires filtrés par ${sources}`,
      nothingUsed: "non utilisé",
      over10Years: "plus de 10 ans",
      notAsked: "Le service n’a pas encore lu cette chaîne",
      block: (height, age) => `Bloc ${height ?? "inconnu"}${age === null ? "" : `, il y a ${age}`}`,
      nodes: (up, total) => `${plural(up, `${up} nœud`, `${up} nœuds`)} sur ${total} ${plural(up, "répond", "répondent")}`,
      askedAgo: (ago) => `vérifié il y a ${ago}`,
      noCap: "sans plafond",
      capGwei: (capGwei) => `plafond ${capGwei} gwei`,
      gasUnknown: (cap) => `Gaz encore inconnu, ${cap}`,
      gas: (base, tip, cap) => `Gaz : base ${base} + priorité ${tip} gwei, ${cap}`,
    },
    WALLET_BOARD: {
      safes: (count) =>
        `${plural(count, `${count} Safe appartient`, `${count} Safes appartiennent`)} encore à ce portefeuille. Donnez-leur un nouveau propriétaire.`,
      safeOwner: "Donner un nouveau propriétaire à ses Safes",
      wallet: (address) => `Portefeuille ${address}`,
      walletAddress: "adresse du portefeuille",
      topUp: "Approvisionner",
      halt: "Arrêter",
      low: "Bas",
      notRead: "Le service n’a pas encore lu son solde.",
      topUpOn: (name) => `Approvisionner sur ${name}`,
      addressQr: "Adresse du portefeuille en code QR",
      state: (address) => `État du portefeuille ${address}`,
      compromised: "Compromis",
      retired: "Hors service",
      draining: "En extinction",
      noWorker: "Aucun worker ne l’utilise",
      working: "En service",
      minimum: "devrait être d’au moins {amount}",
      promised: "{amount} promis",
      readAt: (block, ago) => `lu au bloc ${block}, il y a ${ago}`,
      sendExplained: (currencies) =>
        `Envoyez ${currencies} sur {chain} à cette adresse, et rien d’autre. Les dépôts sont comptabilisés automatiquement.`,
      orders: {
        active: "Remettre en service",
        draining: "Mettre en extinction",
        retired: "Mettre hors service",
        compromised: "Marquer comme compromis",
      },
      signers: {
        sandbox: "Clé : un fichier du bac à sable",
        keystore: "Clé : un fichier chiffré",
        remote: "Clé : un processus de signature distant",
        pkcs11: "Clé : dans un module matériel (PKCS#11)",
        "aws-kms": "Clé : dans AWS KMS",
      },
    },
    NONCE_QUEUE: {
      purpose: "Pour",
      fee: "Frais maximum",
      signed: "Signé",
      oldestAge: (time) => `le plus ancien depuis ${time}`,
      unknownNonces: (nonces, more) =>
        `Inconnus : ${nonces}${more > 0 ? ` et ${plural(more, `${more} autre`, `${more} autres`)}` : ""}. Aucune de nos transactions ne porte ces nonces. La clé a servi ailleurs, ou ils manquent.`,
      caption: (address) => `Nonces du portefeuille ${address}`,
      replacedAttempts: (count) => plural(count, `${count} remplacée`, `${count} remplacées`),
      feeRaised: (bumps) => `relevés ${bumps} fois`,
      cancellation: "annulation",
      orders: (nonce) => `Actions pour le nonce ${nonce}`,
      raiseFee: "Relever les frais",
      cancelSelfTransfer: "Annuler par un transfert à soi-même",
      withdrawCancellation: "Retirer l’annulation",
      summary: (onTheirWay) => `Nonces : confirmés sous {below} · ${onTheirWay} en route · prochain {next}`,
      noTransactions: "Il n’a pas encore envoyé de transaction.",
      gwei: (fee) => `${fee} gwei`,
      states: {
        signed: "Signé",
        broadcast: "En route",
        mined: "Dans un bloc",
        executed: "Définitif",
        failed: "Échoué",
        needs_review: "À vérifier",
      },
      purposes: {
        topup: "Approvisionnement",
        sweep: "Rapatriement",
        return: "Restitution",
        deployment: "Safe",
        filler: "Comblement",
        pack: "Paiements groupés",
        allowance: "Autorisation",
        treasury_withdrawal: "Retrait de trésorerie",
      },
    },
    HALTS: {
      title: (halts) => plural(halts, `${halts} arrêt en vigueur`, `${halts} arrêts en vigueur`),
      waitsForSecond: "une deuxième personne doit confirmer",
      lift: "Lever l’arrêt",
      everything: "Tout",
      scopes: {
        wallet: (name) => `Le portefeuille ${name}`,
        chain: (name) => `La chaîne ${name}`,
        pair: (name) => `La paire ${name}`,
        partner: (name) => `Le partenaire ${name}`,
        provider: (name) => `Le prestataire ${name}`,
      },
      since: "{scope}, {time} : {detail}",
      proposed: (by) => `${by} a proposé de le lever : {link}.`,
    },
    COSTS: {
      costs: "Coûts et pertes chez les prestataires",
      costsMean:
        "Ce que les prestataires fiat ont prélevé pour les versements et les encaissements, ce qui est perdu chez l’un d’eux, et les approvisionnements tardifs remboursés.",
      bookCost: "Comptabiliser un coût ou une perte…",
      noCosts: "Aucun coût ni perte comptabilisé",
    },
    BOOKS: {
      liftedHalts: "Arrêts levés",
      liftedLine: (byTwo) => `{scope}. {words} Levé {time} par ${byTwo ? "deux personnes" : "une personne"} : {reason}`,
      reconciliations: "Rapprochements",
      accounts: {
        partner_receivable: {
          name: "Créance partenaire",
          means: "Ce que le partenaire doit pour les paiements faits en son nom ; sous zéro, ce que nous lui devons.",
        },
        treasury: { name: "Trésorerie", means: "Les jetons de nos portefeuilles, comparés aux chaînes une fois par jour." },
        fiat_pool: { name: "Réserve fiat", means: "Notre argent chez le prestataire fiat." },
        fee_revenue: { name: "Revenus de frais", means: "Les frais de plateforme que nous avons gagnés ; les gains sont sous zéro." },
        network_fees: { name: "Frais de réseau", means: "Ce que les chaînes ont facturé pour nos transactions." },
        clearing: {
          name: "Compensation",
          means:
            "Ce qui est pris pour les approvisionnements et les retraits sans être encore remis ; zéro si aucun n’est en cours, sous zéro si nous le devons encore.",
        },
        conversion: {
          name: "Conversion",
          means: "Les deux côtés de chaque échange : au-dessus de zéro ce que nous avons donné, sous zéro ce que nous avons reçu.",
        },
        rounding: { name: "Arrondis", means: "Les fractions de la plus petite unité que les arrondis ont laissées." },
        owner_funds: {
          name: "Fonds propres",
          means:
            "Ce que l’opérateur a apporté, moins ce qu’il a retiré et ce que les partenaires lui ont payé ; sous zéro tant que nous le lui devons.",
        },
        losses: {
          name: "Pertes",
          means: "Ce qui a quitté nos portefeuilles ou nos réserves sans rien payer, comptabilisé par deux personnes.",
        },
        provider_costs: {
          name: "Coûts des prestataires",
          means: "Ce que les prestataires fiat ont prélevé pour les versements et les encaissements.",
        },
        suspense: {
          name: "Compte d’attente",
          means: "Les mouvements vers nos portefeuilles (sous zéro) ou hors d’eux (au-dessus de zéro) qui ne sont pas encore expliqués.",
        },
      },
      entries: "Écritures",
      entriesOf: (account, of) => `de ${account}, ${of.filter(Boolean).join(", ")}`,
      noneEnded: "Aucun n’est encore terminé",
      noneEndedMore: "Le service compare le grand livre, les enregistrements et les chaînes une fois par jour ouvré.",
      reconciliationsCaption: "Rapprochements, du plus récent au plus ancien",
      ledger: "Grand livre",
      nothingBooked: "Rien n’est encore comptabilisé",
      ledgerCaption: "Soldes des comptes du grand livre, débit au-dessus de zéro",
      agrees: "Concorde",
      differenceCount: (differences) => plural(differences, `${differences} écart`, `${differences} écarts`),
      differences: "Écarts",
      fiat: "fiat",
      day: "Jour",
      rules: "Règles",
      ended: "Terminé",
    },
  },
);
