package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ids of the specification's own examples, seen from either end.
class CommunityIdTest {
  @ParameterizedTest
  @CsvSource({
    "128.232.110.120, 66.35.250.204, tcp, 34855, 80, 1:LQU9qZlK+B5F3KDmev6m5PMibrg=",
    "192.168.1.52, 8.8.8.8, udp, 54585, 53, 1:d/FP5EW3wiY1vCndhwleRRKHowQ=",
  })
  void bothEndsAgree(String a, String b, String transport, int from, int to, String id) {
    assertThat(
            ProcessorFunctions.communityId(
                a, b, null, transport, from, Integer.toString(to), null, null))
        .isEqualTo(id);
    assertThat(ProcessorFunctions.communityId(b, a, null, transport, to, from, null, null, 0))
        .isEqualTo(id);
    assertThat(ProcessorFunctions.communityId(b, a, null, transport, to, from, null, null, 1))
        .isNotEqualTo(id);
  }

  @Test
  void anEchoAndItsAnswerAreOneFlow() {
    assertThat(
            ProcessorFunctions.communityId(
                "192.168.0.89", "192.168.0.1", 1, null, null, null, 8, 0))
        .isEqualTo("1:X0snYXpgwiv9TZtqg64sgzUn6Dk=");
    assertThat(
            ProcessorFunctions.communityId(
                "192.168.0.1", "192.168.0.89", 1, null, null, null, 0, 0))
        .isEqualTo("1:X0snYXpgwiv9TZtqg64sgzUn6Dk=");
  }

  @Test
  void whatIsMissingMakesNoneAndWhatIsWrongIsRefused() {
    assertThat(ProcessorFunctions.communityId(null, "1.1.1.1", 6, null, 1, 2, null, null)).isNull();
    assertThatThrownBy(
            () -> ProcessorFunctions.communityId("1.1.1.1", "2.2.2.2", 6, null, 0, 2, null, null))
        .hasMessage("invalid source port [0]");
    assertThatThrownBy(
            () -> ProcessorFunctions.communityId("host", "2.2.2.2", 6, null, 1, 2, null, null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
