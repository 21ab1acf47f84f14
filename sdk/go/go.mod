module settlement.example/go/settlement

go 1.19
