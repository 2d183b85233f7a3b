package dev.holdfast.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the tools say to somebody who mistypes, or whose server is not there: one line.
final class WrongUseTest {
  private interface Tool {
    int run(PrintWriter out, String... arguments);
  }

  private static final List<Tool> TOOLS = List.of(Fuzz::run, Hostile::run, Sweep::run, Oracle::run);

  private static String said(Tool tool, int status, String... arguments) {
    StringWriter text = new StringWriter();
    assertThat(tool.run(new PrintWriter(text, true), arguments)).as("%s", text).isEqualTo(status);
    return text.toString().strip();
  }

  @Test
  void whatIsNoUrl() {
    for (Tool tool : TOOLS) {
      for (String url : List.of("notaurl", "http:/x", "ftp://a", "http://[")) {
        assertThat(said(tool, 2, "--url", url))
            .hasLineCount(1)
            .contains("--url", "[" + url + "] is no URL", "--help");
      }
    }
  }

  @Test
  void aServerThatIsNotThere() throws Exception {
    String url;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      url = "http://127.0.0.1:" + closed.getLocalPort();
    }
    assertThat(said(Fuzz::run, 1, "--url", url))
        .hasLineCount(1)
        .contains("a server does not answer", "refused");
    assertThat(said(Hostile::run, 1, "--url", url)).hasLineCount(1);
  }

  @Test
  void whatIsCalledAsNothing() {
    for (String option : List.of("--only", "--mutations")) {
      assertThat(said(Fuzz::run, 2, option, "banana")).hasLineCount(1).contains(option);
    }
  }

  @Test
  void anUnknownOption() {
    assertThat(said(Fuzz::run, 2, "--urls=x")).hasLineCount(1).contains("Unknown option");
  }
}
