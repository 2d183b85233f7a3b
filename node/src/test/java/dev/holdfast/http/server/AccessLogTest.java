package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class AccessLogTest {
  @Test
  void eachAnswerIsALineWhileSomebodyWantsThem() throws Exception {
    ListAppender<ILoggingEvent> written = new ListAppender<>();
    written.start();
    Logger log = (Logger) LoggerFactory.getLogger(AccessLog.NAME);
    log.addAppender(written);
    try (HttpFixture edge = HttpFixture.of(HttpRoutes.all())) {
      log.setLevel(Level.INFO);
      assertThat(edge.get("/a/_echo").statusCode()).isEqualTo(200);
      assertThat(written.list).isEmpty();

      log.setLevel(Level.DEBUG);
      assertThat(
              edge.send(
                      edge.request("/a/_echo?x=1")
                          .header("X-Opaque-Id", "report-7")
                          .header("Authorization", "Basic c2VjcmV0")
                          .header("Content-Type", "application/json")
                          .POST(BodyPublishers.ofString("{\"a\":1}")))
                  .statusCode())
          .isIn(200, 400);
      assertThat(edge.get("/nowhere/at/all/here").statusCode()).isGreaterThanOrEqualTo(400);
    } finally {
      log.setLevel(null);
      log.detachAppender(written);
    }

    assertThat(written.list).hasSize(2);
    assertThat(written.list.getFirst().getFormattedMessage())
        .contains(
            "client=127.0.0.1",
            "method=POST",
            "path=/a/_echo?x=1",
            "bytes_in=7",
            "x_opaque_id=report-7")
        .doesNotContain("c2VjcmV0");
    assertThat(written.list.getLast().getFormattedMessage()).contains("status=4", "bytes_in=0");
  }
}
