// What an application does with the official Go client, checked step by step: the typed API, and
// the bulk indexer.
//
// Usage: scenario http://127.0.0.1:9200
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/elastic/go-elasticsearch/v9"
	"github.com/elastic/go-elasticsearch/v9/esutil"
	"github.com/elastic/go-elasticsearch/v9/typedapi/core/search"
	"github.com/elastic/go-elasticsearch/v9/typedapi/core/update"
	"github.com/elastic/go-elasticsearch/v9/typedapi/types"
	"github.com/elastic/go-elasticsearch/v9/typedapi/types/enums/calendarinterval"
	"github.com/elastic/go-elasticsearch/v9/typedapi/types/enums/dynamicmapping"
	"github.com/elastic/go-elasticsearch/v9/typedapi/types/enums/optype"
	"github.com/elastic/go-elasticsearch/v9/typedapi/types/enums/refresh"
	"github.com/elastic/go-elasticsearch/v9/typedapi/types/enums/result"
	"github.com/elastic/go-elasticsearch/v9/typedapi/types/enums/sortorder"
)

const (
	index = "clients-go"
	books = 24
)

type book struct {
	Title     string  `json:"title"`
	Author    string  `json:"author"`
	Price     float64 `json:"price"`
	Pages     int     `json:"pages"`
	Published string  `json:"published"`
	InPrint   bool    `json:"in_print"`
}

// newBook is book `number`: authors take turns, prices and pages rise, two appear each month of 2024.
func newBook(number int) book {
	return book{
		Title:     fmt.Sprintf("volume %d of the %s history", number, []string{"short", "long"}[number%2]),
		Author:    []string{"austen", "borges", "calvino"}[number%3],
		Price:     float64(number) + 0.5,
		Pages:     100 + number,
		Published: fmt.Sprintf("2024-%02d-15T12:00:00Z", number/2+1),
		InPrint:   number%4 == 0,
	}
}

var (
	ctx    = context.Background()
	client *elasticsearch.TypedClient
	plain  *elasticsearch.Client
)

func main() {
	var err error
	client, err = elasticsearch.NewTyped(elasticsearch.WithAddresses(os.Args[1]))
	check(err)
	plain, err = elasticsearch.New(elasticsearch.WithAddresses(os.Args[1]))
	check(err)
	info, err := client.Info().Do(ctx)
	check(err)
	equal(info.Tagline, "You Know, for Search")
	for _, step := range []struct {
		name string
		run  func()
	}{
		{"creates", creates},
		{"bulks", bulks},
		{"updates", updates},
		{"gets in real time", getsInRealTime},
		{"searches", searches},
		{"aggregates", aggregates},
		{"refuses", refuses},
		{"deletes", deletes},
		{"streams", streams},
	} {
		step.run()
		fmt.Println(step.name + ": as expected")
	}
}

func creates() {
	created, err := client.Indices.Create(index).
		Settings(&types.IndexSettings{NumberOfShards: pointer("2")}).
		Mappings(&types.TypeMapping{
			Dynamic: &dynamicmapping.Strict,
			Properties: map[string]types.Property{
				"title":     types.NewTextProperty(),
				"author":    types.NewKeywordProperty(),
				"price":     types.NewDoubleNumberProperty(),
				"pages":     types.NewIntegerNumberProperty(),
				"published": types.NewDateProperty(),
				"in_print":  types.NewBooleanProperty(),
			},
		}).Do(ctx)
	check(err)
	equal(created.Acknowledged, true)
	equal(created.Index, index)
	exists, err := client.Indices.Exists(index).Do(ctx)
	check(err)
	equal(exists, true)
	mapping, err := client.Indices.GetMapping().Index(index).Do(ctx)
	check(err)
	_, isDouble := mapping[index].Mappings.Properties["price"].(*types.DoubleNumberProperty)
	equal(isDouble, true)
	_, err = client.Indices.Create(index).Do(ctx)
	refused(err, 400, "resource_already_exists_exception")
}

func bulks() {
	var lock sync.Mutex
	failures := map[string]string{}
	indexer, err := esutil.NewBulkIndexer(esutil.BulkIndexerConfig{
		Client: plain, Index: index, NumWorkers: 2, FlushBytes: 1000, Refresh: "wait_for",
		OnError: func(_ context.Context, err error) { fail("bulk indexer: %v", err) },
	})
	check(err)
	add := func(action, id string, document any) {
		body, err := json.Marshal(document)
		check(err)
		check(indexer.Add(ctx, esutil.BulkIndexerItem{
			Action: action, DocumentID: id, Body: bytes.NewReader(body),
			OnFailure: func(
				_ context.Context, item esutil.BulkIndexerItem, response esutil.BulkIndexerResponseItem, err error,
			) {
				check(err)
				lock.Lock()
				defer lock.Unlock()
				failures[item.DocumentID] = fmt.Sprintf("%d %s", response.Status, response.Error.Type)
			},
		}))
	}
	for number := range books {
		add("create", strconv.Itoa(number), newBook(number))
	}
	add("index", "wrong", map[string]any{"pages": "many"})
	check(indexer.Close(ctx))
	equal(indexer.Stats().NumCreated, uint64(books))
	equal(indexer.Stats().NumFailed, uint64(1))
	equal(failures, map[string]string{"wrong": "400 document_parsing_exception"})

	several := client.Bulk().Index(index)
	check(several.CreateOp(types.CreateOperation{Id_: pointer("0")}, newBook(0)))
	check(several.CreateOp(types.CreateOperation{Id_: pointer("new")}, newBook(1)))
	check(several.DeleteOp(types.DeleteOperation{Id_: pointer("new")}))
	answer, err := several.Do(ctx)
	check(err)
	equal(answer.Errors, true)
	var statuses []int
	for _, item := range answer.Items {
		for _, outcome := range item {
			statuses = append(statuses, outcome.Status)
		}
	}
	equal(statuses, []int{409, 201, 200})
	refreshed, err := client.Indices.Refresh().Index(index).Do(ctx)
	check(err)
	equal(refreshed.Shards_.Failed, uint(0))
}

func updates() {
	first, err := client.Index(index).Id("hobbit").OpType(optype.Create).Document(newBook(0)).Do(ctx)
	check(err)
	equal(first.Result, result.Created)
	seqNo := strconv.FormatInt(*first.SeqNo_, 10)
	term := strconv.FormatInt(*first.PrimaryTerm_, 10)
	longer := newBook(0)
	longer.Pages = 310
	second, err := client.Index(index).Id("hobbit").IfSeqNo(seqNo).IfPrimaryTerm(term).Document(longer).Do(ctx)
	check(err)
	equal(second.Result, result.Updated)
	equal(second.Version_, int64(2))
	_, err = client.Index(index).Id("hobbit").IfSeqNo(seqNo).IfPrimaryTerm(term).Document(newBook(1)).Do(ctx)
	refused(err, 409, "version_conflict_engine_exception")
	_, err = client.Create(index, "hobbit").Document(newBook(1)).Do(ctx)
	refused(err, 409, "version_conflict_engine_exception")

	partly, err := client.Update(index, "hobbit").
		Request(&update.Request{Doc: json.RawMessage(`{"price": 9.75}`), Source_: true}).Do(ctx)
	check(err)
	equal(partly.Result, result.Updated)
	equal(partly.Get.Found, true)
	same, err := client.Update(index, "hobbit").Doc(map[string]any{"price": 9.75}).Do(ctx)
	check(err)
	equal(same.Result, result.Noop)
	upsert, err := client.Update(index, "fresh").Doc(map[string]any{"pages": 1}).DocAsUpsert(true).Do(ctx)
	check(err)
	equal(upsert.Result, result.Created)
	_, err = client.Update(index, "absent").Doc(map[string]any{"pages": 1}).Do(ctx)
	refused(err, 404, "document_missing_exception")
}

func getsInRealTime() {
	got, err := client.Get(index, "hobbit").Do(ctx)
	check(err)
	equal(got.Found, true)
	equal(*got.Version_, int64(3))
	var source book
	check(json.Unmarshal(got.Source_, &source))
	equal(source.Pages, 310)
	equal(source.Price, 9.75)
	for id, expected := range map[string]bool{"hobbit": true, "absent": false} {
		exists, err := client.Exists(index, id).Do(ctx)
		check(err)
		equal(exists, expected)
	}
	for _, id := range []string{"hobbit", "fresh"} {
		deleted, err := client.Delete(index, id).Refresh(refresh.True).Do(ctx)
		check(err)
		equal(deleted.Result, result.Deleted)
	}
	gone, err := client.Get(index, "hobbit").Do(ctx)
	check(err)
	equal(gone.Found, false)

	several, err := client.Mget().Index(index).Ids("3", "hobbit", "5").Do(ctx)
	check(err)
	var found []bool
	for _, document := range several.Docs {
		found = append(found, document.(*types.GetResult).Found)
	}
	equal(found, []bool{true, false, true})
}

func searches() {
	query := &types.Query{Bool: &types.BoolQuery{
		Must:    []types.Query{{Match: map[string]types.MatchQuery{"title": {Query: "long"}}}},
		Filter:  []types.Query{{Range: map[string]types.RangeQuery{"pages": types.NumberRangeQuery{Gte: float(105)}}}},
		MustNot: []types.Query{{Term: map[string]types.TermQuery{"author": {Value: "calvino"}}}},
	}}
	var expected, found []string
	for number := books - 1; number >= 5; number-- {
		if number%2 == 1 && number%3 != 2 {
			expected = append(expected, strconv.Itoa(number))
		}
	}
	var after []types.FieldValue
	for {
		page, err := client.Search().Index(index).Request(&search.Request{
			Query: query,
			Sort: []types.SortCombinations{
				types.SortOptions{SortOptions: map[string]types.FieldSort{"published": {Order: &sortorder.Desc}}},
				types.SortOptions{SortOptions: map[string]types.FieldSort{"pages": {Order: &sortorder.Desc}}},
			},
			Size:           pointer(3),
			SearchAfter:    after,
			TrackTotalHits: true,
		}).Do(ctx)
		check(err)
		equal(page.Hits.Total.Value, int64(len(expected)))
		equal(page.Shards_.Failed, uint(0))
		if len(page.Hits.Hits) == 0 {
			break
		}
		for _, hit := range page.Hits.Hits {
			found = append(found, *hit.Id_)
			after = hit.Sort
		}
	}
	equal(found, expected)

	count, err := client.Count().Index(index).
		Query(&types.Query{Term: map[string]types.TermQuery{"author": {Value: "borges"}}}).Do(ctx)
	check(err)
	equal(count.Count, int64(8))

	several := client.Msearch()
	check(several.AddSearch(
		types.MultisearchHeader{Index: []string{index}},
		types.SearchRequestBody{Query: &types.Query{Term: map[string]types.TermQuery{"in_print": {Value: true}}}}))
	check(several.AddSearch(types.MultisearchHeader{Index: []string{"absent"}}, types.SearchRequestBody{}))
	answers, err := several.Do(ctx)
	check(err)
	equal(answers.Responses[0].(*types.MultiSearchItem).Hits.Total.Value, int64(6))
	missing := answers.Responses[1].(*types.ErrorResponseBase)
	equal(missing.Status, 404)
	equal(missing.Error.Type, "index_not_found_exception")
}

func aggregates() {
	answer, err := client.Search().Index(index).Request(&search.Request{
		Size: pointer(0),
		Aggregations: map[string]types.Aggregations{
			"authors": {
				Terms: &types.TermsAggregation{
					Field: pointer("author"),
					Order: map[string]sortorder.SortOrder{"mean": sortorder.Desc},
				},
				Aggregations: map[string]types.Aggregations{"mean": {Avg: &types.AverageAggregation{Field: pointer("price")}}},
			},
			"months": {
				DateHistogram: &types.DateHistogramAggregation{
					Field: pointer("published"), CalendarInterval: &calendarinterval.Month,
				},
				Aggregations: map[string]types.Aggregations{"pages": {Sum: &types.SumAggregation{Field: pointer("pages")}}},
			},
		},
	}).Do(ctx)
	check(err)
	var authors []string
	for _, bucket := range answer.Aggregations["authors"].(*types.StringTermsAggregate).Buckets.([]types.StringTermsBucket) {
		mean := float64(*bucket.Aggregations["mean"].(*types.AvgAggregate).Value)
		authors = append(authors, fmt.Sprintf("%v %d %v", bucket.Key, bucket.DocCount, mean))
	}
	equal(authors, []string{"calvino 8 13", "borges 8 12", "austen 8 11"})
	months := answer.Aggregations["months"].(*types.DateHistogramAggregate).Buckets.([]types.DateHistogramBucket)
	equal(len(months), 12)
	equal(*months[1].KeyAsString, "2024-02-01T00:00:00.000Z")
	equal(months[1].Key, time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC).UnixMilli())
	equal(months[1].DocCount, int64(2))
	equal(float64(*months[1].Aggregations["pages"].(*types.SumAggregate).Value), 205.0)
}

func refuses() {
	_, err := client.Search().Index("absent").Do(ctx)
	refused(err, 404, "index_not_found_exception")
	_, err = client.Index(index).Document(map[string]any{"isbn": 1}).Do(ctx)
	refused(err, 400, "strict_dynamic_mapping_exception")
}

func deletes() {
	deleted, err := client.Indices.Delete(index).Do(ctx)
	check(err)
	equal(deleted.Acknowledged, true)
	exists, err := client.Indices.Exists(index).Do(ctx)
	check(err)
	equal(exists, false)
	_, err = client.Indices.Delete(index).Do(ctx)
	refused(err, 404, "index_not_found_exception")
}

func refused(err error, status int, kind string) {
	var refusal *types.ElasticsearchError
	if !errors.As(err, &refusal) {
		fail("expected an ElasticsearchError %d %s, got %v", status, kind, err)
	}
	equal(refusal.Status, status)
	equal(refusal.ErrorCause.Type, kind)
}

func equal(actual, expected any) {
	if !reflect.DeepEqual(actual, expected) {
		fail("expected %v (%T), got %v (%T)", expected, expected, actual, actual)
	}
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, values ...any) {
	panic(fmt.Sprintf(format, values...))
}

func pointer[T any](value T) *T { return &value }

func float(value types.Float64) *types.Float64 { return &value }
