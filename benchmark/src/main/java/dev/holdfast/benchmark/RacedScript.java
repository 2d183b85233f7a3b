package dev.holdfast.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;

/// A request of the race of scripts.
///
/// @param body where `#` stands for a number that scripts compute with, and `@` for one that is
///   another for each request, so that nobody answers from what an earlier one has left
/// @param plain the same for a server without runtime fields
/// @param answer the pointer to what both must say
record RacedScript(String name, String body, String plain, String answer) {
  static final String MAPPING =
      """
      {"settings": {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "30s"},
       "mappings": {"properties": {
        "pickup_datetime": {"type": "date", "format": "yyyy-MM-dd HH:mm:ss"},
        "dropoff_datetime": {"type": "date", "format": "yyyy-MM-dd HH:mm:ss"},
        "pickup_location": {"type": "geo_point"}, "dropoff_location": {"type": "geo_point"},
        "vendor_name": {"type": "text"}, "passenger_count": {"type": "integer"},
        "vendor_id": {"type": "keyword"}, "payment_type": {"type": "keyword"},
        "rate_code_id": {"type": "keyword"}, "trip_type": {"type": "keyword"},
        "cab_color": {"type": "keyword"}, "store_and_fwd_flag": {"type": "keyword"},
        "surcharge": {"type": "double"}, "mta_tax": {"type": "double"},
        "tolls_amount": {"type": "double"}, "extra": {"type": "double"},
        "improvement_surcharge": {"type": "double"}, "ehail_fee": {"type": "double"},
        "total_amount": {"type": "double"}, "trip_distance": {"type": "double"},
        "tip_amount": {"type": "double"}, "fare_amount": {"type": "double"}}}}\
      """;

  private static final String SCORES = "/hits/hits";
  private static final String HOUR = "doc['pickup_datetime'].value.getHour() + params.n";
  private static final String PRICE =
      "doc['total_amount'].value / (doc['trip_distance'].value + params.n)";

  private static final int NUMBERS = 100;

  static List<RacedScript> all() {
    return List.of(
        score(
            "score: sum of numbers",
            "100 + doc['trip_distance'].value * params.n + doc['fare_amount'].value"),
        score("score: logarithm", "Math.log(100 + params.n + doc['total_amount'].value)"),
        score(
            "score: decay", "decayNumericExp(params.n, 2.0, 0.0, 0.5, doc['trip_distance'].value)"),
        score("score: saturation", "saturation(doc['tip_amount'].value + params.n, 2)"),
        score(
            "score: condition and term",
            "doc['payment_type'].value == '1' && doc['passenger_count'].value > 1 ? _score +"
                + " params.n : doc['passenger_count'].value"),
        sort("sort: number", "number", PRICE),
        sort("sort: hour", "number", HOUR),
        sort(
            "sort: text",
            "string",
            "doc['vendor_id'].value + '-' + doc['payment_type'].value + params.n"),
        field("field: terms of hours", "terms", "long", HOUR),
        field("field: average price", "avg", "double", PRICE),
        new RacedScript(
            "update: 10,000 documents",
            "{\"script\":{\"source\":\"ctx._source.passenger_count += params.n; ctx._source.seen ="
                + " true\",\"params\":{\"n\":1}}}",
            "",
            ""));
  }

  private static RacedScript score(String name, String script) {
    return search(
        name,
        "{\"size\":10,\"_source\":false,\"track_total_hits\":true,\"query\":{\"script_score\":{\"query\":{\"match_all\":{}},"
            + script(script)
            + "}}}",
        SCORES);
  }

  private static RacedScript sort(String name, String type, String script) {
    return search(
        name,
        "{\"size\":10,\"_source\":false,\"track_total_hits\":true,\"sort\":[{\"_script\":{\"type\":\""
            + type
            + "\",\"order\":\"desc\","
            + script(script)
            + "}}]}",
        SCORES);
  }

  private static RacedScript field(String name, String kind, String type, String script) {
    String field =
        "{\"size\":0,\"runtime_mappings\":{\"f\":{\"type\":\""
            + type
            + "\","
            + script("emit(" + script + ")")
            + "}},\"aggs\":{\"a\":{\""
            + kind
            + "\":{\"field\":\"f\"}}}}";
    String value =
        "{\"size\":0,\"aggs\":{\"a\":{\""
            + kind
            + "\":{"
            + (kind.equals("terms") ? "\"value_type\":\"long\"," : "")
            + script(script)
            + "}}}}";
    return new RacedScript(name, field, value, "/aggregations/a");
  }

  private static RacedScript search(String name, String body, String answer) {
    return new RacedScript(name, body, body, answer);
  }

  private static String script(String source) {
    return "\"script\":{\"source\":\"" + source + "\",\"params\":{\"n\":#,\"request\":@}}";
  }

  boolean isUpdate() {
    return answer.isEmpty();
  }

  /// @param number of the request, not negative
  String body(boolean hasRuntimeFields, int number) {
    return (hasRuntimeFields ? body : plain)
        .replace("#", Integer.toString(1 + number % NUMBERS))
        .replace("@", ProcessHandle.current().pid() + "" + number);
  }

  /// What both servers must say alike: numbers to six digits, of hits their scores or sort values.
  String essence(JsonNode whole) {
    StringBuilder text = new StringBuilder(whole.at("/hits/total/value").asText());
    collect(whole.at(answer), text);
    return text.toString();
  }

  private static void collect(JsonNode node, StringBuilder into) {
    if (node.isNumber()) {
      into.append(String.format(Locale.ROOT, " %.5g", node.asDouble()));
    } else if (node.isTextual()) {
      into.append(' ').append(node.asText());
    } else if (node.isArray()) {
      node.forEach(one -> collect(one, into));
    } else {
      for (String member : List.of("_score", "sort", "buckets", "key", "doc_count", "value")) {
        if (node.has(member)) {
          collect(node.path(member), into);
        }
      }
    }
  }
}
