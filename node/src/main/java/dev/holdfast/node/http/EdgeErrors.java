package dev.holdfast.node.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.world.Json;
import org.jspecify.annotations.Nullable;

/// Errors that the HTTP library finds before a request reaches us (a broken header, a line too
/// long), in our shape and with our headers.
final class EdgeErrors implements ServerErrorHandler {
  @Override
  public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
    return null;
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    ObjectNode body = Json.object();
    body.put("error", description == null ? status.reasonPhrase() : description);
    body.put("status", status.code());
    return AggregatedHttpResponse.of(
        ResponseHeaders.builder(status)
            .add("X-Elastic-Product", "Elasticsearch")
            .add("Content-Type", "application/json")
            .build(),
        HttpData.wrap(Json.bytes(body)));
  }
}
