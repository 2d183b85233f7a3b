package dev.holdfast.api.info;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.Version;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;

/// `GET /_xpack`: which of the optional features there are; those we have not are said to be
/// absent.
public final class XpackApi implements Api {
  private static final List<String> CATEGORIES = List.of("_all", "build", "license", "features");

  static final String[] PRESENT = {
    "aggregate_metric",
    "analytics",
    "data_streams",
    "enrich",
    "ilm",
    "logsdb",
    "searchable_snapshots",
    "slm",
    "spatial"
  };

  static final String[] ABSENT = {
    "archive",
    "ccr",
    "data_tiers",
    "enterprise_search",
    "eql",
    "esql",
    "graph",
    "logstash",
    "ml",
    "monitoring",
    "rollup",
    "security",
    "sql",
    "transform",
    "universal_profiling",
    "voting_only",
    "watcher"
  };

  private final Metadata metadata;

  public XpackApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    List<String> wanted = request.list("categories");
    for (String category : wanted) {
      if (!CATEGORIES.contains(category)) {
        throw Refusal.badArgument("Unknown xpack info category: [" + category + "]");
      }
    }
    return Answer.of(out -> {
      out.writeStartObject();
      if (isShown(wanted, "build")) {
        build(out);
      }
      if (isShown(wanted, "license")) {
        license(out);
      }
      if (isShown(wanted, "features")) {
        features(out);
      }
      out.writeStringField("tagline", "You know, for X");
      out.writeEndObject();
    });
  }

  private static boolean isShown(List<String> wanted, String category) {
    return wanted.isEmpty() || wanted.contains("_all") || wanted.contains(category);
  }

  private static void build(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("build");
    out.writeStringField("hash", Version.CURRENT.buildHash());
    out.writeStringField("date", Version.CURRENT.buildDate());
    out.writeEndObject();
  }

  private void license(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("license");
    out.writeStringField("uid", metadata.current().clusterUuid());
    out.writeStringField("type", "basic");
    out.writeStringField("mode", "basic");
    out.writeStringField("status", "active");
    out.writeEndObject();
  }

  private static void features(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("features");
    allFeatures(out);
    out.writeEndObject();
  }

  private static void allFeatures(JsonGenerator out) throws IOException {
    for (String feature : ABSENT) {
      feature(out, feature, false);
    }
    for (String feature : PRESENT) {
      feature(out, feature, true);
    }
  }

  private static void feature(JsonGenerator out, String name, boolean isThere) throws IOException {
    out.writeObjectFieldStart(name);
    out.writeBooleanField("available", isThere);
    out.writeBooleanField("enabled", isThere);
    out.writeEndObject();
  }
}
