package dev.holdfast.api.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Cluster settings whose names are made up, by the thousand, long, or of strange letters.
final class ManySettingsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  private static String loggers(int from, int to, String level) {
    ObjectNode body = Json.object();
    ObjectNode settings = body.putObject("transient");
    for (int i = from; i < to; i++) {
      settings.put("logger.made.up" + i, level);
    }
    return body.toString();
  }

  @Test
  void loggersWithALevelOfTheirOwnAreFew() throws Exception {
    node.refused(400, "PUT", "/_cluster/settings", "{\"transient\":{\"logger.\":\"WARN\"}}");
    node.ok("PUT", "/_cluster/settings", loggers(0, 1_000, "INFO"));

    String tooMany =
        node.refused(400, "PUT", "/_cluster/settings", loggers(999, 1_001, "INFO")).toString();

    assertThat(tooMany).contains("[1001] loggers would have levels of their own");
    node.ok("PUT", "/_cluster/settings", loggers(0, 1_000, "WARN"));
    node.ok("PUT", "/_cluster/settings", "{\"transient\":{\"logger.*\":null}}");
    node.ok("PUT", "/_cluster/settings", loggers(999, 1_001, "INFO"));
    node.ok("PUT", "/_cluster/settings", "{\"transient\":{\"logger.*\":null}}");
  }

  @Test
  void namesOfLoggersHaveSomeLength() throws Exception {
    String name = "logger" + ".a".repeat(5_000);
    String body = "{\"transient\":{\"" + name + "\":\"INFO\"}}";

    assertThat(node.refused(400, "PUT", "/_cluster/settings", body).toString())
        .contains("more than [500] characters");
  }

  @Test
  void patternsToRemoveAreFew() throws Exception {
    ObjectNode body = Json.object();
    ObjectNode settings = body.putObject("persistent");
    for (int i = 0; i <= 100; i++) {
      settings.putNull("cluster.metadata." + i + "*");
    }

    assertThat(node.refused(400, "PUT", "/_cluster/settings", body.toString()).toString())
        .contains("more than [100] patterns");
  }

  /// A header takes no line's end, and clients take no heads of a megabyte.
  @Test
  void warningsAreHeadersWhateverTheNamesAre() throws Exception {
    ObjectNode body = Json.object();
    ObjectNode settings = body.putObject("persistent");
    settings.put("xpack.a\nb\"ü", "1");
    for (int i = 0; i < 20_000; i++) {
      settings.put("xpack.made_up" + i, "1");
    }

    HttpResponse<String> answer = node.call("PUT", "/_cluster/settings", body.toString());
    node.ok("PUT", "/_cluster/settings", "{\"persistent\":{\"xpack.*\":null}}");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Warning").orElse(""))
        .contains("xpack.a%0Ab\\\"%C3%BC", "...")
        .hasSizeLessThan(5_000);
  }
}
