package dev.holdfast.api.info;

import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.Version;

/// `GET /_xpack`: which of the optional features there are; those we have not are said to be
/// absent.
public final class XpackApi implements Api {
  private static final String[] ABSENT = {
    "ccr",
    "eql",
    "esql",
    "graph",
    "ilm",
    "ml",
    "monitoring",
    "rollup",
    "security",
    "slm",
    "transform",
    "watcher"
  };

  @Override
  public Answer handle(ApiRequest request) {
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("build");
      out.writeStringField("hash", Version.CURRENT.buildHash());
      out.writeStringField("date", Version.CURRENT.buildDate());
      out.writeEndObject();
      out.writeObjectFieldStart("license");
      out.writeStringField("type", "basic");
      out.writeStringField("mode", "basic");
      out.writeStringField("status", "active");
      out.writeEndObject();
      out.writeObjectFieldStart("features");
      for (String feature : ABSENT) {
        out.writeObjectFieldStart(feature);
        out.writeBooleanField("available", false);
        out.writeBooleanField("enabled", false);
        out.writeEndObject();
      }
      out.writeEndObject();
      out.writeStringField("tagline", "You know, for X");
      out.writeEndObject();
    });
  }
}
