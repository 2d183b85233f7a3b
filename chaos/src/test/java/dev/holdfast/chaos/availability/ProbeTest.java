package dev.holdfast.chaos.availability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.chaos.node.Http;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeTest {
  private static Http.Reply reply(int status, String json) throws Exception {
    return new Http.Reply(status, Http.JSON.readTree(json.replace('\'', '"')));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WRITE  | 201 | {'result':'created'}                                          | true",
        "WRITE  | 503 | {'error':{}}                                                  | false",
        "GET    | 200 | {'found':true}                                                | true",
        "GET    | 404 | {'found':false}                                               | false",
        "SEARCH | 200 | {'_shards':{'failed':0},'hits':{'hits':[{}]}}                 | true",
        "SEARCH | 200 | {'_shards':{'failed':1},'hits':{'hits':[{}]}}                 | false",
        "SEARCH | 200 | {'_shards':{'failed':0},'hits':{'hits':[]}}                   | false",
      })
  void anAnswerWithoutWhatIsKnownToBeThereIsNoSuccess(
      ProbeKind kind, int status, String json, boolean isGood) throws Exception {
    assertThat(kind.isGood(reply(status, json))).isEqualTo(isGood);
  }

  @Test
  void aWindowKeepsTheLongestTimeWithoutASuccessAndTheFirstReasons() {
    ProbeWindow window = new ProbeWindow();
    window.sent();
    window.gap(7_000_000);
    window.gap(3_000_000);
    for (int i = 0; i < 5; i++) {
      window.failed("reason " + i);
    }

    assertThat(window.isOver()).isFalse();
    window.ended();
    assertThat(window.isOver()).isTrue();
    assertThat(window.gapMillis()).isEqualTo(7);
    assertThat(window.failures()).isEqualTo(5);
    assertThat(window.reasons()).containsExactly("reason 0", "reason 1", "reason 2");
  }

  @Test
  void ofManyEventsTheMedianTheHighestOfAHundredAndTheLongestAreTold() {
    List<Long> values = LongStream.rangeClosed(1, 200).boxed().toList().reversed();

    assertThat(Availability.spread(values)).isEqualTo("101 / 199 / 200");
  }
}
