package settlement

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const breath = time.Second

// CursorStore keeps where a reader of events is. Keep it where it survives a crash, best in the transaction that does
// what the events ask for.
type CursorStore interface {
	// ReadCursor returns the cursor. Empty: there is none yet, and the reader begins with the oldest events.
	ReadCursor(ctx context.Context) (string, error)
	WriteCursor(ctx context.Context, cursor string) error
}

// FileCursor is a CursorStore in the file of that name, for one reader.
type FileCursor string

// ReadCursor reads the file. No file: no cursor yet.
func (f FileCursor) ReadCursor(context.Context) (string, error) {
	text, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// WriteCursor replaces the file at once, so that a crash leaves the old cursor or the new one.
func (f FileCursor) WriteCursor(_ context.Context, cursor string) error {
	draft, err := os.CreateTemp(filepath.Dir(string(f)), filepath.Base(string(f))+".*")
	if err != nil {
		return err
	}
	defer os.Remove(draft.Name())
	_, err = draft.WriteString(cursor + "\n")
	if err == nil {
		err = draft.Sync()
	}
	if closed := draft.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(draft.Name(), string(f))
	}
	return err
}

// FollowQuery says which events to follow.
type FollowQuery struct {
	// Types, separated by commas, such as settlement.*,withdrawal.completed. Empty: all
	Types string
	// How many seconds a request waits for the next event. The default is 20
	Wait int64
}

// Following are events, oldest first, without an end:
//
//	for following.Next(ctx) {
//		event := following.Event()
//	}
//	return following.Err()
//
// The store keeps the place once all events of a page were taken: after a crash those of one page may come again, under
// the same ids.
type Following struct {
	events  *Events
	store   CursorStore
	query   ListEventsQuery
	isBegun bool
	page    EventPage
	event   Event
	err     error
}

// Follow reads every change, and waits for the next one.
func (g *Events) Follow(store CursorStore, query FollowQuery) *Following {
	fill(&query.Wait, 20)
	return &Following{events: g, store: store, query: ListEventsQuery{Types: query.Types, Wait: query.Wait}}
}

// Next goes on to the next event, and waits for it. It returns false once the context ends or a call fails: see Err.
func (f *Following) Next(ctx context.Context) bool {
	for len(f.page.Data) == 0 && f.err == nil {
		f.err = f.turn(ctx)
	}
	if f.err != nil {
		return false
	}
	f.event, f.page.Data = f.page.Data[0], f.page.Data[1:]
	return true
}

// Event returns the event that Next went on to.
func (f *Following) Event() Event { return f.event }

// Err returns why there is no next event. A *Refused with cursor_expired has the oldest_cursor that is still there.
func (f *Following) Err() error { return f.err }

// turn stores the place after one page, and reads the next.
func (f *Following) turn(ctx context.Context) error {
	if !f.isBegun {
		cursor, err := f.store.ReadCursor(ctx)
		if err != nil {
			return err
		}
		f.query.Cursor, f.isBegun = cursor, true
	} else if f.page.NextCursor != f.query.Cursor {
		if err := f.store.WriteCursor(ctx, f.page.NextCursor); err != nil {
			return err
		}
		f.query.Cursor = f.page.NextCursor
	}
	began := time.Now()
	page, err := f.events.Page(ctx, f.query)
	if err != nil {
		return err
	}
	f.page = *page
	// An empty page that came at once: too many wait there, or the service is about to stop.
	if len(page.Data) == 0 && time.Since(began) < breath {
		return sleep(ctx, breath)
	}
	return nil
}
