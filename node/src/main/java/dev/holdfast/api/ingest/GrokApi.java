package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.processor.parse.GrokPatterns;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;

/// `GET /_ingest/processor/grok`: the patterns that grok expressions may name.
public final class GrokApi implements Api {
  @Override
  public Answer handle(ApiRequest request) {
    String mode = request.text("ecs_compatibility", "disabled");
    if (!GrokPatterns.MODES.contains(mode)) {
      throw Refusal.badArgument("unsupported ECS compatibility mode [" + mode + "]");
    }
    // In order of names, whether `s` asks for that or not.
    var _ = request.flag("s", false);
    ObjectNode answer = Json.object();
    ObjectNode patterns = answer.putObject("patterns");
    GrokPatterns.of(mode).forEach(patterns::put);
    return Answer.of(200, answer);
  }
}
