"""What an application does with the official Python client, checked step by step.

Usage: scenario.py http://127.0.0.1:9200
"""

import sys

from elasticsearch import ApiError, BadRequestError, ConflictError, Elasticsearch, NotFoundError
from elasticsearch import helpers

INDEX = "clients-python"
MAPPINGS = {
    "dynamic": "strict",
    "properties": {
        "title": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
        "author": {"type": "keyword"},
        "price": {"type": "double"},
        "pages": {"type": "integer"},
        "published": {"type": "date"},
        "in_print": {"type": "boolean"},
    },
}
BOOKS = 24
STREAM = "clients-python-logs"


def book(number):
    """Book `number`: authors take turns, prices and pages rise, two appear each month of 2024."""
    return {
        "title": f"volume {number} of the {'long' if number % 2 else 'short'} history",
        "author": ("austen", "borges", "calvino")[number % 3],
        "price": number + 0.5,
        "pages": 100 + number,
        "published": f"2024-{number // 2 + 1:02d}-15T12:00:00Z",
        "in_print": number % 4 == 0,
    }


def equal(actual, expected, what):
    if actual != expected:
        raise AssertionError(f"{what}: expected {expected!r}, got {actual!r}")


def raises(kind, status, call):
    try:
        call()
    except ApiError as error:
        equal(type(error), kind, "kind of exception")
        equal(error.status_code, status, "status")
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


def creates(client):
    answer = client.indices.create(
        index=INDEX, settings={"number_of_shards": 2}, mappings=MAPPINGS
    )
    equal(answer["acknowledged"], True, "acknowledged")
    equal(answer["index"], INDEX, "index")
    equal(bool(client.indices.exists(index=INDEX)), True, "index exists")
    mapping = client.indices.get_mapping(index=INDEX)[INDEX]["mappings"]
    equal(mapping["properties"]["price"], {"type": "double"}, "mapping of price")
    settings = client.indices.get_settings(index=INDEX)[INDEX]["settings"]["index"]
    equal(settings["number_of_shards"], "2", "shards")
    again = raises(BadRequestError, 400, lambda: client.indices.create(index=INDEX))
    equal(again.error, "resource_already_exists_exception", "error")


def bulks(client):
    actions = ({"_index": INDEX, "_id": str(n), "_source": book(n)} for n in range(BOOKS))
    equal(helpers.bulk(client, actions, chunk_size=7), (BOOKS, []), "bulk")

    mixed = [
        {"_op_type": "create", "_index": INDEX, "_id": "0", "_source": book(0)},
        {"_op_type": "create", "_index": INDEX, "_id": "new", "_source": book(1)},
        {"_op_type": "update", "_index": INDEX, "_id": "new", "doc": {"pages": 7}},
        {"_op_type": "index", "_index": INDEX, "_id": "wrong", "_source": {"pages": "many"}},
        {"_op_type": "delete", "_index": INDEX, "_id": "new"},
    ]
    try:
        helpers.bulk(client, mixed)
        raise AssertionError("no BulkIndexError was raised")
    except helpers.BulkIndexError as error:
        failed = {
            (kind, item["_id"], item["status"], item["error"]["type"])
            for each in error.errors
            for kind, item in each.items()
        }
    equal(
        failed,
        {
            ("create", "0", 409, "version_conflict_engine_exception"),
            ("index", "wrong", 400, "document_parsing_exception"),
        },
        "failed items",
    )
    streamed = list(
        helpers.streaming_bulk(
            client,
            ({"_op_type": "create", "_index": INDEX, "_source": book(n)} for n in (1, 2)),
            refresh="wait_for",
        )
    )
    equal([(ok, item["create"]["status"]) for ok, item in streamed], [(True, 201)] * 2, "stream")
    for _, item in streamed:
        equal(client.delete(index=INDEX, id=item["create"]["_id"])["result"], "deleted", "delete")
    equal(client.indices.refresh(index=INDEX)["_shards"]["failed"], 0, "failed shards")


def updates(client):
    first = client.index(index=INDEX, id="hobbit", document=book(0), op_type="create")
    equal((first["result"], first["_version"]), ("created", 1), "create")
    second = client.index(
        index=INDEX,
        id="hobbit",
        document={**book(0), "pages": 310},
        if_seq_no=first["_seq_no"],
        if_primary_term=first["_primary_term"],
    )
    equal((second["result"], second["_version"]), ("updated", 2), "conditional index")
    conflict = raises(
        ConflictError,
        409,
        lambda: client.index(
            index=INDEX,
            id="hobbit",
            document=book(1),
            if_seq_no=first["_seq_no"],
            if_primary_term=first["_primary_term"],
        ),
    )
    equal(conflict.error, "version_conflict_engine_exception", "error")
    raises(ConflictError, 409, lambda: client.create(index=INDEX, id="hobbit", document=book(1)))

    partly = client.update(index=INDEX, id="hobbit", doc={"price": 9.75}, source=True)
    equal((partly["result"], partly["_version"]), ("updated", 3), "update")
    equal(partly["get"]["_source"]["price"], 9.75, "price from the update")
    same = client.update(index=INDEX, id="hobbit", doc={"price": 9.75})
    equal((same["result"], same["_version"]), ("noop", 3), "update with nothing new")
    raises(
        ConflictError,
        409,
        lambda: client.update(
            index=INDEX, id="hobbit", doc={"price": 1}, if_seq_no=0, if_primary_term=1_000_000
        ),
    )
    upsert = client.update(index=INDEX, id="fresh", doc={"pages": 1}, doc_as_upsert=True)
    equal(upsert["result"], "created", "upsert")
    missing = raises(
        NotFoundError, 404, lambda: client.update(index=INDEX, id="absent", doc={"pages": 1})
    )
    equal(missing.error, "document_missing_exception", "error")


def gets_in_real_time(client):
    got = client.get(index=INDEX, id="hobbit")
    equal((got["found"], got["_version"]), (True, 3), "get")
    equal((got["_source"]["pages"], got["_source"]["price"]), (310, 9.75), "source")
    part = client.get(index=INDEX, id="hobbit", source_includes=["pa*"])
    equal(part["_source"], {"pages": 310}, "part of the source")
    equal(client.get_source(index=INDEX, id="fresh").body, {"pages": 1}, "get_source")
    equal(bool(client.exists(index=INDEX, id="hobbit")), True, "exists")
    equal(bool(client.exists(index=INDEX, id="absent")), False, "does not exist")
    equal(client.delete(index=INDEX, id="hobbit")["result"], "deleted", "delete")
    equal(client.delete(index=INDEX, id="fresh", refresh=True)["result"], "deleted", "delete")
    raises(NotFoundError, 404, lambda: client.delete(index=INDEX, id="hobbit"))
    gone = raises(NotFoundError, 404, lambda: client.get(index=INDEX, id="hobbit"))
    equal(gone.body["found"], False, "found")

    docs = client.mget(index=INDEX, ids=["3", "hobbit", "5"])["docs"]
    equal([doc["found"] for doc in docs], [True, False, True], "mget")
    equal(docs[2]["_source"], book(5), "source from mget")


def searches(client):
    query = {
        "bool": {
            "must": [{"match": {"title": "long"}}],
            "filter": [{"range": {"pages": {"gte": 105}}}],
            "must_not": [{"term": {"author": "calvino"}}],
        }
    }
    expected = [n for n in range(BOOKS) if n % 2 and n >= 5 and n % 3 != 2][::-1]
    found, after = [], None
    while True:
        page = client.search(
            index=INDEX,
            query=query,
            sort=[{"published": "desc"}, {"pages": "desc"}],
            size=3,
            search_after=after,
            track_total_hits=True,
        )
        equal(page["hits"]["total"], {"value": len(expected), "relation": "eq"}, "total")
        equal(page["_shards"]["failed"], 0, "failed shards")
        hits = page["hits"]["hits"]
        if not hits:
            break
        found += [hit["_id"] for hit in hits]
        after = hits[-1]["sort"]
    equal(found, [str(n) for n in expected], "pages of the search")

    best = client.search(index=INDEX, query={"match": {"title": "volume 11"}}, size=1)
    equal(best["hits"]["hits"][0]["_id"], "11", "best hit")
    equal(best["hits"]["max_score"] > 0, True, "has a score")
    page = client.search(index=INDEX, sort="pages:asc", from_=10, size=2, source=["pages"])
    equal([hit["_source"] for hit in page["hits"]["hits"]], [{"pages": 110}, {"pages": 111}], "from")
    equal(client.count(index=INDEX, query={"term": {"author": "borges"}})["count"], 8, "count")

    several = client.msearch(
        index=INDEX,
        searches=[
            {},
            {"query": {"term": {"in_print": True}}, "size": 0},
            {"index": "absent"},
            {"query": {"match_all": {}}},
        ],
    )["responses"]
    equal(several[0]["hits"]["total"]["value"], 6, "first of msearch")
    equal(several[1]["error"]["type"], "index_not_found_exception", "second of msearch")
    equal(several[1]["status"], 404, "status of the second of msearch")


def aggregates(client):
    answer = client.search(
        index=INDEX,
        size=0,
        aggs={
            "authors": {
                "terms": {"field": "author", "order": {"mean": "desc"}},
                "aggs": {"mean": {"avg": {"field": "price"}}},
            },
            "months": {
                "date_histogram": {"field": "published", "calendar_interval": "month"},
                "aggs": {"pages": {"sum": {"field": "pages"}}},
            },
        },
    )["aggregations"]
    equal(
        [(b["key"], b["doc_count"], b["mean"]["value"]) for b in answer["authors"]["buckets"]],
        [("calvino", 8, 13.0), ("borges", 8, 12.0), ("austen", 8, 11.0)],
        "authors",
    )
    months = answer["months"]["buckets"]
    equal(len(months), 12, "months")
    equal(months[1]["key_as_string"], "2024-02-01T00:00:00.000Z", "second month")
    equal(months[1]["key"], 1706745600000, "second month")
    equal(months[1]["doc_count"], 2, "books of the second month")
    equal(months[1]["pages"]["value"], 205.0, "pages of the second month")


def refuses(client):
    missing = raises(NotFoundError, 404, lambda: client.search(index="absent"))
    equal(missing.error, "index_not_found_exception", "error")
    equal(missing.info["error"]["index"], "absent", "index of the error")
    wrong = raises(BadRequestError, 400, lambda: client.search(index=INDEX, query={"nonsense": {}}))
    equal(wrong.error, "parsing_exception", "error")
    strict = raises(BadRequestError, 400, lambda: client.index(index=INDEX, document={"isbn": 1}))
    equal(strict.error, "strict_dynamic_mapping_exception", "error")


def deletes(client):
    equal(client.indices.delete(index=INDEX)["acknowledged"], True, "acknowledged")
    equal(bool(client.indices.exists(index=INDEX)), False, "index exists")
    raises(NotFoundError, 404, lambda: client.indices.delete(index=INDEX))


def line(number):
    """Line `number` of a log, three in four of them warnings, as a shipper sends it."""
    return {
        "@timestamp": f"2026-11-27T10:{number // 60:02d}:{number % 60:02d}.000Z",
        "message": f"{'warn' if number % 4 else 'info'} disk {number}",
    }


def streams(client):
    """Logs come in through a template with a pipeline, and the stream rolls over."""
    client.ingest.put_pipeline(
        id=STREAM,
        processors=[
            {"dissect": {"field": "message", "pattern": "%{log.level} %{text}"}},
            {"uppercase": {"field": "log.level"}},
        ],
    )
    client.indices.put_index_template(
        name=STREAM,
        index_patterns=[STREAM + "-*"],
        priority=500,
        data_stream={},
        template={
            "settings": {"index.default_pipeline": STREAM},
            "mappings": {"properties": {"log": {"properties": {"level": {"type": "keyword"}}}}},
        },
    )
    stream = STREAM + "-default"
    actions = ({"_op_type": "create", "_index": stream, **line(n)} for n in range(100))
    equal(helpers.bulk(client, actions, chunk_size=33), (100, []), "bulk into a stream")
    made = client.indices.get_data_stream(name=stream)["data_streams"][0]
    equal((made["generation"], made["template"]), (1, STREAM), "stream")
    equal(made["indices"][0]["index_name"].startswith(".ds-" + stream + "-"), True, "first index")
    refused = raises(BadRequestError, 400, lambda: client.index(index=stream, id="1", document=line(1)))
    equal(refused.error, "illegal_argument_exception", "error")

    rolled = client.indices.rollover(alias=stream)
    equal(rolled["rolled_over"], True, "rolled over")
    results = helpers.parallel_bulk(
        client,
        ({"_op_type": "create", "_index": stream, **line(n)} for n in range(100, 200)),
        chunk_size=20,
    )
    equal({item["create"]["_index"] for ok, item in results if ok}, {rolled["new_index"]}, "index")
    client.indices.refresh(index=stream)
    warnings = client.search(
        index=stream,
        query={"term": {"log.level": "WARN"}},
        aggs={"each": {"terms": {"field": "_index"}}},
        size=0,
    )
    equal(warnings["hits"]["total"]["value"], 150, "warnings")
    equal([b["doc_count"] for b in warnings["aggregations"]["each"]["buckets"]], [75, 75], "each")

    client.indices.delete_data_stream(name=stream)
    client.indices.delete_index_template(name=STREAM)
    client.ingest.delete_pipeline(id=STREAM)
    raises(NotFoundError, 404, lambda: client.indices.get_data_stream(name=stream))


def main(url):
    with Elasticsearch(url, request_timeout=20, max_retries=0) as client:
        equal(client.info()["tagline"], "You Know, for Search", "tagline")
        equal(client.ping(), True, "ping")
        for step in (
            creates,
            bulks,
            updates,
            gets_in_real_time,
            searches,
            aggregates,
            refuses,
            deletes,
            streams,
        ):
            step(client)
            print(f"{step.__name__}: as expected", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
