package settlement

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

// pages answers each cursor with what follows it.
func pages(t *testing.T) *served {
	page := func(ids ...string) string {
		text := ""
		for _, id := range ids {
			text += `,{"id":"` + id + `","type":"settlement.created","data":{"amount":1.10}}`
		}
		return text
	}
	return serve(t, Options{},
		answering(200, `{"data":[`+page("ev_1", "ev_2")[1:]+`],"next_cursor":"c2"}`),
		answering(200, `{"data":[`+page("ev_3")[1:]+`],"next_cursor":"c3"}`),
		problem(410, "cursor_expired", `,"oldest_cursor":"c9"`))
}

func TestEventsGoOnAfterACrashWhereTheyWere(t *testing.T) {
	store := FileCursor(filepath.Join(t.TempDir(), "cursor"))
	s := pages(t)
	following := s.client.Events.Follow(store, FollowQuery{Types: "settlement.*"})
	for _, wanted := range []string{"ev_1", "ev_2", "ev_3"} {
		equal(t, following.Next(ctx), true)
		equal(t, following.Event().ID, wanted)
	}
	equal(t, string(following.Event().Data), `{"amount":1.10}`)
	// ev_3 was given and perhaps not done: its page is not behind us yet.
	equal(t, ok[string](t)(store.ReadCursor(ctx)), "c2")
	equal(t, following.Next(ctx), false)
	equal(t, ok[string](t)(store.ReadCursor(ctx)), "c3")
	var refused *Refused
	var oldest string
	equal(t, errors.As(following.Err(), &refused) && refused.Member("oldest_cursor", &oldest), true)
	equal(t, oldest, "c9")
	equal(t, s.all()[0].target, "/api/v1/events?types=settlement.%2A&wait=20")

	again := pages(t)
	next := again.client.Events.Follow(store, FollowQuery{Wait: 5})
	equal(t, next.Next(ctx), true)
	equal(t, again.all()[0].target, "/api/v1/events?cursor=c3&wait=5")
}

type failing struct{}

func (failing) ReadCursor(context.Context) (string, error) { return "", nil }
func (failing) WriteCursor(context.Context, string) error  { return errors.New("the disk is full") }

func TestAPlaceThatCannotBeKeptEndsIt(t *testing.T) {
	s := pages(t)
	following := s.client.Events.Follow(failing{}, FollowQuery{})
	for following.Next(ctx) {
	}
	contains(t, following.Err(), "the disk is full")
	equal(t, len(s.all()), 1)
}
