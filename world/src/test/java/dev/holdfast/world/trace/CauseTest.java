package dev.holdfast.world.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

final class CauseTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  @Test
  void aRequestThatSaysNothingOfItselfBindsNothing() {
    assertThat(Tracer.OFF.begin("GET", name -> null, false)).isSameAs(Cause.NONE);
    assertThat(Cause.current()).isSameAs(Cause.NONE);
  }

  @Test
  void namesOfClientsAreToldToOtherNodesAndThreadsUntilTheAnswer() throws Exception {
    Map<String, String> headers = Map.of("x-opaque-id", "report", "traceparent", PARENT);
    Cause cause = Tracer.OFF.begin("GET", headers::get, false);

    Map<String, String> told = new TreeMap<>();
    Callable<Cause> onAnotherThread =
        cause.<Callable<Cause>, Exception, Exception>serve(() -> {
          Cause.current().tell(told::put);
          Callable<Cause> handedOn = Cause.handedOn((Callable<Cause>) Cause::current);
          assertThat(handedOn.call().traceId()).isEqualTo(TRACE);
          return handedOn;
        });

    assertThat(told).isEqualTo(headers);
    assertThat(onAnotherThread.call()).isSameAs(Cause.NONE);
  }

  @Test
  void whatIsNoTraceparentIsNone() {
    assertThat(Tracer.traceId(PARENT)).isEqualTo(TRACE);
    assertThat(Tracer.traceId("00-" + "0".repeat(32) + "-00f067aa0ba902b7-01")).isNull();
    assertThat(Tracer.traceId("01-x")).isNull();
    assertThat(Tracer.traceId(PARENT + "\n")).isNull();
  }

  @Test
  void aNameIsCutAndCleanedBeforeItStandsInALine() {
    Map<String, String> headers = Map.of("x-opaque-id", "a\nb" + "x".repeat(5_000));

    Cause cause = Tracer.OFF.begin("GET", headers::get, false);

    assertThat(cause.opaqueId()).startsWith("a?b").hasSize(1_000);
  }
}
