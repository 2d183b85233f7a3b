package dev.holdfast.node.training;

import java.util.List;
import java.util.Map;

/// Searches that people ask of [TrainingDocuments], by index; `%s` is a word.
final class TrainingRequests {
  static final Map<TrainingDocuments, List<String>> ALL =
      Map.of(
          TrainingDocuments.LINES,
          List.of(
              "{\"query\":{\"match_all\":{}}}",
              "{\"query\":{\"match\":{\"message\":\"%s html\"}}}",
              "{\"query\":{\"match_phrase\":{\"message\":\"get %s\"}}}",
              "{\"query\":{\"term\":{\"status\":404}},\"track_total_hits\":true}",
              "{\"query\":{\"query_string\":{\"query\":\"message:%s* AND status:200\"}}}",
              "{\"query\":{\"bool\":{\"must\":[{\"match\":{\"message\":\"%s\"}}],\"filter\":"
                  + "[{\"range\":{\"@timestamp\":{\"gte\":\"2026-01-01T02:00:00Z\"}}}],"
                  + "\"must_not\":[{\"term\":{\"status\":404}}]}},\"highlight\":{\"fields\":{\"message\":{}}}}",
              "{\"sort\":[{\"@timestamp\":\"desc\"}],\"size\":50}",
              "{\"query\":{\"range\":{\"size\":{\"gte\":100,\"lt\":9000}}},\"sort\":[{\"size\":\"asc\"}]}",
              "{\"size\":0,\"aggs\":{\"a\":{\"date_histogram\":{\"field\":\"@timestamp\",\"fixed_interval\":\"1h\"}}}}",
              "{\"size\":0,\"query\":{\"range\":{\"size\":{\"gte\":1000}}},\"aggs\":{\"a\":{\"date_histogram\":"
                  + "{\"field\":\"@timestamp\",\"calendar_interval\":\"day\"},\"aggs\":{\"b\":{\"stats\":{\"field\":\"size\"}}}}}}",
              "{\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\"message.raw\"}},\"b\":{\"cardinality\":{\"field\":\"address\"}}}}"),
          TrainingDocuments.ROWS,
          List.of(
              "{\"query\":{\"term\":{\"zone\":\"%s\"}}}",
              "{\"query\":{\"range\":{\"price\":{\"gte\":5,\"lt\":15}}},\"size\":20}",
              "{\"query\":{\"geo_bounding_box\":{\"from\":{\"top_left\":[-73.95,40.76],\"bottom_right\":[-73.93,40.74]}}}}",
              "{\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\"kind\"},\"aggs\":{\"b\":{\"avg\":{\"field\":\"price\"}}}}}}",
              "{\"size\":0,\"query\":{\"range\":{\"distance\":{\"lt\":50}}},\"aggs\":{\"a\":{\"histogram\":"
                  + "{\"field\":\"distance\",\"interval\":1},\"aggs\":{\"b\":{\"stats\":{\"field\":\"price\"}}}}}}",
              "{\"size\":0,\"aggs\":{\"a\":{\"percentiles\":{\"field\":\"price\"}},\"b\":{\"sum\":{\"field\":\"tip\"}}}}",
              "{\"size\":0,\"aggs\":{\"a\":{\"auto_date_histogram\":{\"field\":\"begin\",\"buckets\":20}}}}"),
          TrainingDocuments.EVENTS,
          List.of(
              "{\"query\":{\"match\":{\"payload.changes.message\":\"%s\"}}}",
              "{\"query\":{\"term\":{\"place.name.keyword\":\"%s\"}}}",
              "{\"query\":{\"multi_match\":{\"query\":\"%s"
                  + " ba\",\"fields\":[\"payload.body\",\"actor.login^2\"]}}}",
              "{\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\"actor.login.keyword\",\"size\":20}}}}",
              "{\"query\":{\"exists\":{\"field\":\"place.stars\"}},\"sort\":[{\"place.stars\":\"desc\"}],"
                  + "\"_source\":[\"actor.*\"],\"fields\":[\"created_at\"]}"));

  private TrainingRequests() {}
}
