package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.processor.parse.GrokPatterns;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import java.util.Map;
import java.util.TreeMap;

/// `GET /_ingest/processor/grok`: the patterns that grok expressions may name.
public final class GrokApi implements Api {
  @Override
  public Answer handle(ApiRequest request) {
    ObjectNode answer = Json.object();
    ObjectNode patterns = answer.putObject("patterns");
    Map<String, String> all = GrokPatterns.all();
    (request.flag("s", false) ? new TreeMap<>(all) : all).forEach(patterns::put);
    return Answer.of(200, answer);
  }
}
