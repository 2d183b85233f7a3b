package dev.holdfast.document.ingest.processor.parse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the patterns find that grok expressions name.
final class GrokPatternsTest {
  private static final String ACCESS =
      "70.193.17.92 - bob [08/Sep/2014:02:54:42 +0000] \"GET /a?b=c HTTP/1.1\" 200 17"
          + " \"http://example.org/\" \"Mozilla/5.0 (X)\"";

  private static @Nullable Map<String, JsonNode> match(String mode, String pattern, String text) {
    Map<String, JsonNode> found = GrokExpression.of(pattern, GrokPatterns.of(mode)).match(text);
    return found == null ? null : new TreeMap<>(found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"disabled", "v1"})
  void eachIsARegularExpression(String mode) {
    for (String name : GrokPatterns.of(mode).keySet()) {
      assertThat(GrokExpression.of("%{" + name + "}", GrokPatterns.of(mode)).pattern())
          .as(name)
          .isNotNull();
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      textBlock =
          """
          NUMBER, took 5. and, 5
          NUMBER, at -1.25s, -1.25
          BASE16FLOAT, is 0x1f.8 wide, 0x1f.8
          UNIXPATH, path=/a/b-c.d;x, /a/b-c.d
          URN, id urn:isbn:0451450523, urn:isbn:0451450523
          """)
  void aPatternFinds(String pattern, String text, String found) {
    assertThat(match("disabled", "%{" + pattern + ":x}", text))
        .hasToString("{x=\"" + found + "\"}");
  }

  @Test
  void aLineOfAnAccessLog() {
    assertThat(match("disabled", "%{HTTPD_COMBINEDLOG}", ACCESS))
        .isEqualTo(match("disabled", "%{COMBINEDAPACHELOG}", ACCESS))
        .containsKeys("clientip", "ident", "auth", "verb", "response", "agent");
    assertThat(match("v1", "%{COMBINEDAPACHELOG}", ACCESS))
        .hasToString(
            "{http.request.method=\"GET\", http.request.referrer=\"http://example.org/\","
                + " http.response.body.bytes=17, http.response.status_code=200,"
                + " http.version=\"1.1\", source.address=\"70.193.17.92\","
                + " timestamp=\"08/Sep/2014:02:54:42 +0000\", url.original=\"/a?b=c\","
                + " user.name=\"bob\", user_agent.original=\"Mozilla/5.0 (X)\"}");
  }

  @Test
  void aLineOfAnErrorLog() {
    String text =
        "[Fri Sep 09 10:42:29 2011] [core:error] [pid 35708:tid 4328636416]"
            + " [client 72.15.99.187:80] File does not exist";

    assertThat(match("v1", "%{HTTPD_ERRORLOG}", text))
        .containsKeys("apache.error.module", "process.thread.id", "source.port")
        .extractingByKey("message")
        .hasToString("\"File does not exist\"");
    assertThat(match("disabled", "%{HTTPD_ERRORLOG}", text))
        .containsKeys("module", "loglevel", "pid", "tid", "clientip", "clientport", "message");
  }

  @Test
  void linesOfSyslog() {
    String old = "Mar  6 10:11:12 host sshd[42]: Accepted";
    String fresh = "<34>1 2003-10-11T22:14:15.003Z host su - ID47 - it failed";

    assertThat(match("disabled", "%{SYSLOGLINE}", old))
        .hasToString(
            "{logsource=\"host\", message=\"Accepted\", pid=\"42\", program=\"sshd\","
                + " timestamp=\"Mar  6 10:11:12\"}");
    assertThat(match("v1", "%{SYSLOGLINE}", old))
        .hasToString(
            "{host.hostname=\"host\", message=\"Accepted\", process.name=\"sshd\","
                + " process.pid=42, timestamp=\"Mar  6 10:11:12\"}");
    assertThat(match("disabled", "%{SYSLOG5424LINE}", fresh))
        .hasToString(
            "{syslog5424_app=\"su\", syslog5424_host=\"host\", syslog5424_msg=\"it failed\","
                + " syslog5424_msgid=\"ID47\", syslog5424_pri=\"34\","
                + " syslog5424_ts=\"2003-10-11T22:14:15.003Z\", syslog5424_ver=\"1\"}");
  }

  @Test
  void aLineOfAStack() {
    assertThat(match("v1", "%{JAVASTACKTRACEPART}", "\tat a.b.C$D.<init>(C.java:12)"))
        .hasToString(
            "{java.log.origin.class.name=\"a.b.C$D\", log.origin.file.line=12,"
                + " log.origin.file.name=\"C.java\", log.origin.function=\"<init>\"}");
  }
}
