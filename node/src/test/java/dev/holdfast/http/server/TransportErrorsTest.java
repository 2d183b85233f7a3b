package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import dev.holdfast.world.Json;
import org.junit.jupiter.api.Test;

class TransportErrorsTest {
  private static AggregatedHttpResponse rendered(HttpStatus status) {
    Server server = Server.builder().service("/", (_, _) -> HttpResponse.of(200)).build();
    return new TransportErrors()
        .renderStatus(
            null, server.config().serviceConfigs().getFirst(), null, status, "description", null);
  }

  @Test
  void whatComesWhileTheNodeStopsIsRefusedInElasticsearchsShape() throws Exception {
    AggregatedHttpResponse response = rendered(HttpStatus.SERVICE_UNAVAILABLE);

    JsonNode body = Json.parse(response.content().array());
    assertThat(response.status().code()).isEqualTo(503);
    assertThat(body.path("status").asInt()).isEqualTo(503);
    assertThat(body.at("/error/type").asText()).isEqualTo("node_closed_exception");
    assertThat(body.at("/error/root_cause/0/type").asText()).isEqualTo("node_closed_exception");
    assertThat(response.headers().get("X-Elastic-Product")).isEqualTo("Elasticsearch");
  }

  @Test
  void whatIsNoRequestAtAllIsRefusedInASentence() throws Exception {
    JsonNode body = Json.parse(rendered(HttpStatus.BAD_REQUEST).content().array());

    assertThat(body.path("error").asText()).isEqualTo("description");
    assertThat(body.path("status").asInt()).isEqualTo(400);
  }
}
