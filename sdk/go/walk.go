package settlement

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

const mostPerPage = 100

// Walk is a list that is read page by page as you go on:
//
//	for walk.Next(ctx) {
//		fmt.Println(walk.Item())
//	}
//	if err := walk.Err(); err != nil {
//
// It walks by cursor: what is added meanwhile neither repeats an item nor leaves one out.
type Walk[T any] struct {
	sender *sender
	call   call
	read   func(*answer) ([]T, json.RawMessage, error)
	limit  int
	cursor string
	items  []T
	item   T
	isLast bool
	err    error
}

// Next goes on to the next item, and returns whether there is one.
func (w *Walk[T]) Next(ctx context.Context) bool {
	for len(w.items) == 0 {
		if w.isLast || w.err != nil {
			return false
		}
		w.err = w.page(ctx)
	}
	w.item, w.items = w.items[0], w.items[1:]
	return true
}

// Item returns the item that Next went on to.
func (w *Walk[T]) Item() T { return w.item }

// Err returns why the walk ended too early, or nil.
func (w *Walk[T]) Err() error { return w.err }

// All reads the rest of the list.
func (w *Walk[T]) All(ctx context.Context) ([]T, error) {
	var items []T
	for w.Next(ctx) {
		items = append(items, w.Item())
	}
	return items, w.Err()
}

func (w *Walk[T]) page(ctx context.Context) error {
	asked := w.call
	asked.query = append(append([]pair{{"limit", strconv.Itoa(w.limit)}}, w.call.query...), pair{"cursor", w.cursor})
	found, err := w.sender.send(ctx, asked)
	if err != nil {
		return err
	}
	items, following, err := w.read(found)
	if err != nil {
		return fmt.Errorf("the page cannot be read: %w", err)
	}
	if following == nil && len(items) >= w.limit {
		return fmt.Errorf("%s has more than one page and answers no cursor: the service is older than this SDK", w.call.path)
	}
	w.cursor = ""
	if following != nil {
		if err := json.Unmarshal(following, &w.cursor); err != nil {
			return err
		}
	}
	w.items, w.isLast = items, w.cursor == ""
	return nil
}

func walkOf[T any](s *sender, c call, read func(*answer) ([]T, json.RawMessage, error)) *Walk[T] {
	walk := &Walk[T]{sender: s, read: read, limit: mostPerPage}
	others := make([]pair, 0, len(c.query))
	for _, one := range c.query {
		if number, err := strconv.Atoi(one.value); one.name == "limit" && err == nil {
			walk.limit = number
		} else {
			others = append(others, one)
		}
	}
	c.query = others
	walk.call = c
	return walk
}

// walkData walks pages with their items in data.
func walkData[T any](s *sender, c call) *Walk[T] {
	return walkOf(s, c, func(found *answer) ([]T, json.RawMessage, error) {
		var page struct {
			Data []T
			Next json.RawMessage `json:"next_cursor"`
		}
		err := json.Unmarshal(found.body, &page)
		return page.Data, page.Next, err
	})
}

// walkItems walks pages with their items in items.
func walkItems[T any](s *sender, c call) *Walk[T] {
	return walkOf(s, c, func(found *answer) ([]T, json.RawMessage, error) {
		var page struct {
			Items []T
			Next  json.RawMessage `json:"next_cursor"`
		}
		err := json.Unmarshal(found.body, &page)
		return page.Items, page.Next, err
	})
}

// walkHeader walks pages that are lists, with the next cursor in a header.
func walkHeader[T any](s *sender, c call) *Walk[T] {
	return walkOf(s, c, func(found *answer) ([]T, json.RawMessage, error) {
		var items []T
		err := json.Unmarshal(found.body, &items)
		following, isSaid := found.header["X-Next-Cursor"]
		if err != nil || !isSaid {
			return items, nil, err
		}
		text, err := json.Marshal(following[0])
		return items, text, err
	})
}
