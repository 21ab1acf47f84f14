package settlement

import (
	"context"
	"fmt"
	"time"
)

const longestLook = 10 * time.Second

// Waiting says how to wait for an end.
type Waiting struct {
	// How long to wait in all. The default is 10 minutes
	Timeout time.Duration
	// How long to wait before the second look; later waits grow to 10 s. The default is 0.5 s
	Every time.Duration
}

// WaitForTerminal waits for the end: executed, failed or cancelled. The error is a *NotTerminal if there is none in
// time, or ever.
func (g *Settlements) WaitForTerminal(ctx context.Context, txID string, waiting Waiting) (*Settlement, error) {
	look := func() (*Settlement, error) { return g.Get(ctx, txID) }
	return until(ctx, waiting, look, func(found *Settlement) (string, string, error) {
		why, err := g.sender.lapsed(ctx, string(found.Status), pointed(found.ApprovalState), found.ExpiresAt)
		return string(found.Status), why, err
	}, "executed", "failed", "cancelled")
}

// WaitForTerminal waits for the end: completed or cancelled. A completed batch may have items that failed: see Counts.
// The error is a *NotTerminal if there is no end in time, or ever.
func (g *Batches) WaitForTerminal(ctx context.Context, batchID string, waiting Waiting) (*Batch, error) {
	look := func() (*Batch, error) { return g.Get(ctx, batchID) }
	return until(ctx, waiting, look, func(found *Batch) (string, string, error) {
		why, err := g.sender.lapsed(ctx, string(found.Status), pointed(found.ApprovalState), found.ExpiresAt)
		return string(found.Status), why, err
	}, "completed", "cancelled")
}

// WaitForTerminal waits for the end: completed or failed. The error is a *NotTerminal if there is none in time.
func (g *Withdrawals) WaitForTerminal(ctx context.Context, id string, waiting Waiting) (*WithdrawRequestResponse, error) {
	look := func() (*WithdrawRequestResponse, error) { return g.Get(ctx, id) }
	return until(ctx, waiting, look, func(found *WithdrawRequestResponse) (string, string, error) {
		return string(found.Status), "", nil
	}, "completed", "failed")
}

// WaitForTerminal waits for the end: completed or failed. The error is a *NotTerminal if there is none in time.
func (g *Topups) WaitForTerminal(ctx context.Context, id string, waiting Waiting) (*TopupRequestResponse, error) {
	look := func() (*TopupRequestResponse, error) { return g.Get(ctx, id) }
	return until(ctx, waiting, look, func(found *TopupRequestResponse) (string, string, error) {
		return string(found.Status), "", nil
	}, "completed", "failed")
}

// WaitForSafe waits until the member's WalletAddress can be paid: at once if it brought its own. The error is a
// *NotTerminal if its Safe cannot be deployed, or is not yet.
func (g *Members) WaitForSafe(ctx context.Context, externalUserID string, waiting Waiting) (*Member, error) {
	look := func() (*Member, error) { return g.Get(ctx, externalUserID) }
	return until(ctx, waiting, look, func(found *Member) (string, string, error) {
		safe := pointed(found.SafeStatus)
		switch {
		case safe == "failed":
			return safe, "the member's Safe could not be deployed", nil
		case found.WalletAddress == nil:
			return "without an address", "", nil
		case safe == "":
			return "its own", "", nil
		}
		return safe, "", nil
	}, "deployed", "its own")
}

// until looks until the status is one of ends. `judge` returns the status, and why it will never be one of them.
func until[T any](ctx context.Context, waiting Waiting, look func() (*T, error), judge func(*T) (string, string, error), ends ...string) (*T, error) {
	fill(&waiting.Timeout, 10*time.Minute)
	fill(&waiting.Every, 500*time.Millisecond)
	givenUpAt := time.Now().Add(waiting.Timeout)
	for pause := waiting.Every; ; pause = longer(pause, waiting.Every) {
		found, err := look()
		if err != nil {
			return nil, err
		}
		status, why, err := judge(found)
		if err != nil {
			return nil, err
		}
		for _, end := range ends {
			if status == end {
				return found, nil
			}
		}
		if why == "" && time.Now().Add(pause).After(givenUpAt) {
			why = fmt.Sprintf("it is %s after %s", status, waiting.Timeout)
		}
		if why != "" {
			return nil, &NotTerminal{why, found}
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

func longer(pause, every time.Duration) time.Duration {
	most := longestLook
	if every > most {
		most = every
	}
	if pause = pause * 3 / 2; pause > most {
		return most
	}
	return pause
}

// lapsed returns why a quote will never be paid: it has expired, by the service's clock. One that waits for approval may
// get another price.
func (s *sender) lapsed(ctx context.Context, status, approval string, end time.Time) (string, error) {
	if status != "quoted" || approval == "pending" || !end.Before(s.now()) {
		return "", nil
	}
	// This machine's clock may be wrong, and no refusal has said so yet.
	clock, err := callOne[ServiceTime](ctx, s, call{surface: "open", method: "GET", path: "/time"})
	if err != nil || !end.Before(time.Unix(clock.EpochSeconds, 0)) {
		return "", err
	}
	return "the quote has expired", nil
}

func pointed[T ~string](text *T) string {
	if text == nil {
		return ""
	}
	return string(*text)
}
