-- What proved a transfer is evidence: it never changes.
create trigger append_only before update or delete on transfer_proofs for each row execute function refuse_change();
