package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/elastic/go-elasticsearch/v9/esutil"
	"github.com/elastic/go-elasticsearch/v9/typedapi/types"
)

const (
	streamName = "clients-go-logs"
	stream     = streamName + "-default"
	pipeline   = `{"processors": [
		{"dissect": {"field": "message", "pattern": "%{log.level} %{text}"}},
		{"uppercase": {"field": "log.level"}}]}`
	template = `{"index_patterns": ["clients-go-logs-*"], "priority": 500, "data_stream": {},
		"template": {
			"settings": {"index.default_pipeline": "clients-go-logs"},
			"mappings": {"properties": {"log": {"properties": {"level": {"type": "keyword"}}}}}}}`
)

// streams brings logs in by the bulk indexer, through a template with a pipeline, into a stream that rolls over.
func streams() {
	_, err := client.Ingest.PutPipeline(streamName).Raw(strings.NewReader(pipeline)).Do(ctx)
	check(err)
	_, err = client.Indices.PutIndexTemplate(streamName).Raw(strings.NewReader(template)).Do(ctx)
	check(err)
	ingest(0, 100)
	made, err := client.Indices.GetDataStream().Name(stream).Do(ctx)
	check(err)
	equal(made.DataStreams[0].Generation, 1)
	equal(strings.HasPrefix(made.DataStreams[0].Indices[0].IndexName, ".ds-"+stream+"-"), true)
	_, err = client.Index(stream).Id("1").Document(logLine(1)).Do(ctx)
	refused(err, 400, "illegal_argument_exception")

	rolled, err := client.Indices.Rollover(stream).Do(ctx)
	check(err)
	equal(rolled.RolledOver, true)
	ingest(100, 200)
	warnings, err := client.Count().Index(rolled.NewIndex).
		Query(&types.Query{Term: map[string]types.TermQuery{"log.level": {Value: "WARN"}}}).Do(ctx)
	check(err)
	equal(warnings.Count, int64(75))
	all, err := client.Count().Index(stream).Do(ctx)
	check(err)
	equal(all.Count, int64(200))

	_, err = client.Indices.DeleteDataStream(stream).Do(ctx)
	check(err)
	_, err = client.Indices.DeleteIndexTemplate(streamName).Do(ctx)
	check(err)
	_, err = client.Ingest.DeletePipeline(streamName).Do(ctx)
	check(err)
}

func ingest(from, to int) {
	indexer, err := esutil.NewBulkIndexer(esutil.BulkIndexerConfig{
		Client: plain, Index: stream, NumWorkers: 2, FlushBytes: 2000, Refresh: "wait_for",
	})
	check(err)
	for number := from; number < to; number++ {
		body, err := json.Marshal(logLine(number))
		check(err)
		check(indexer.Add(ctx, esutil.BulkIndexerItem{Action: "create", Body: bytes.NewReader(body)}))
	}
	check(indexer.Close(ctx))
	equal(indexer.Stats().NumCreated, uint64(to-from))
	equal(indexer.Stats().NumFailed, uint64(0))
}

// logLine is a warning three times in four.
func logLine(number int) map[string]any {
	level := "warn"
	if number%4 == 0 {
		level = "info"
	}
	return map[string]any{
		"@timestamp": time.Date(2026, 11, 27, 10, 0, number, 0, time.UTC).Format(time.RFC3339),
		"message":    fmt.Sprintf("%s disk %d", level, number),
	}
}
