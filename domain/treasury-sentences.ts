/** What the audit log says about the treasury and its wallets. The text after the actor's name. */
export const TREASURY_SENTENCES: Record<string, string> = {
  "wallet.safes_reassigned": "gave the Safes of the wallet {object} a new owner",
  "wallet.state_changed": "changed the state of the wallet {object}",
  "treasury.funding_declared": "declared {object} as the operator's deposit",
  "treasury.funded": "booked a deposit as what {object} declares",
  "treasury.movement_explained": "explained the movement {object}",
  "treasury.entry_corrected": "corrected the ledger's entry {object}",
  "treasury.withdrawal_proposed": "proposed the treasury withdrawal {object}",
  "treasury.withdrawal_signed": "signed the treasury withdrawal {object}",
  "treasury.withdrawal_rejected": "rejected the treasury withdrawal {object}",
  "treasury.withdrawal_paid": "paid the treasury withdrawal {object}",
  "treasury.withdrawal_unpaid": "ended the treasury withdrawal {object} without a payment",
  "treasury.loss_booked": "booked {object} as a loss: it paid nothing that is owed",
  "wallet.halted": "halted the wallet {object}",
  "wallet.paused": "paused the wallet {object}",
  "wallet.resumed": "resumed the wallet {object}",
};
