package dev.holdfast.http.server;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Errors that the HTTP library finds before a request reaches us (a broken header, a line too
/// long), in our shape and with our headers.
final class TransportErrors implements ServerErrorHandler {
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
    return AggregatedHttpResponse.of(
        ResponseHeaders.builder(status)
            .add("X-Elastic-Product", "Elasticsearch")
            .add("Content-Type", "application/json")
            .build(),
        HttpData.wrap(
            status.equals(HttpStatus.SERVICE_UNAVAILABLE)
                ? stopping()
                : Json.bytes(
                    Json.object()
                        .put("error", description == null ? status.reasonPhrase() : description)
                        .put("status", status.code()))));
  }

  /// What comes on a connection that is still open when the node stops reaches no API any more.
  private static byte[] stopping() {
    Refusal refusal =
        new Refusal(ErrorType.NODE_CLOSED, "the node is stopping, another one will answer");
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try (JsonGenerator out = Json.MAPPER.getFactory().createGenerator(body)) {
      out.writeStartObject();
      out.writeFieldName("error");
      ErrorBody.write(out, refusal, false);
      out.writeNumberField("status", refusal.status());
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return body.toByteArray();
  }
}
