package dev.holdfast.api.diagnostics;

import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;

/// `GET /_holdfast/live`: the process runs. Also answered while it starts, before there are APIs;
/// who supervises it need not end it.
public final class LiveApi implements Api {
  public static final String PATH = "/_holdfast/live";

  @Override
  public Answer handle(ApiRequest request) {
    return Answer.text(200, "live\n");
  }
}
