package dev.holdfast.chaos.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.chaos.node.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What counts as an answer after nothing ran.
final class FirstAnswersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "200 | {'timed_out':false,'_shards':{'failed':0},'hits':{'total':{'value':7}}} | GOOD",
        "200 | {'timed_out':false,'_shards':{'failed':0},'hits':{'total':{'value':6}}} | WRONG",
        "200 | {'timed_out':false,'_shards':{'failed':0}} | WRONG",
        "200 | {'timed_out':true,'_shards':{'failed':0},'hits':{'total':{'value':7}}} | PARTIAL",
        "200 | {'timed_out':false,'_shards':{'failed':1},'hits':{'total':{'value':7}}} | PARTIAL",
        "503 | {'error':{}} | REFUSED",
        "429 | {'error':{}} | REFUSED",
      })
  void onlyAllAcknowledgedDocumentsAreGood(int status, String json, FirstAnswers.Kind kind)
      throws Exception {
    Http.Reply reply = new Http.Reply(status, Http.JSON.readTree(json.replace('\'', '"')));
    assertThat(FirstAnswers.of(reply, 7)).isEqualTo(kind);
  }

  @Test
  void theReportTellsTheMedianAndWhatWasNotGood() {
    FirstAnswers answers = new FirstAnswers();
    assertThat(answers.report()).containsExactly("answers: good 0, refused 0, partial 0, wrong 0");
    for (long millis : new long[] {900, 2500, 800, 700, 1000}) {
      answers.add(FirstAnswers.Kind.GOOD, millis);
    }
    assertThat(answers.isAllGood()).isTrue();
    answers.add(FirstAnswers.Kind.REFUSED, 3);
    assertThat(answers.isAllGood()).isFalse();
    assertThat(answers.report())
        .containsExactly(
            "answers: good 5, refused 1, partial 0, wrong 0",
            "first answer, median / p99 / longest: 900 / 2500 / 2500 ms",
            "goals: median 1000 ms met, p99 2000 ms missed");
  }
}
