package dev.holdfast.chaos.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.StartedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  @Test
  void whatANodeSaidOfItsStartIsTold(@TempDir Path folder) throws Exception {
    Path child = Files.createDirectories(folder.resolve("elastic-index-0"));
    Files.createDirectories(folder.resolve("elastic-search-0")); // not started yet
    Files.writeString(child.resolve("pid"), Long.MAX_VALUE + " then\n");
    assertThat(StartedNode.words(folder)).isEqualTo("elastic-index-0 not ready");
    Files.writeString(
        child.resolve("log"),
        "INFO  first\nholdfast 0.1.0 ready on http://127.0.0.1:1 (store s3://a/b, heap 512mb) in"
            + " 0.9 s\nINFO  last\n");
    assertThat(StartedNode.words(folder)).isEqualTo("elastic-index-0 ready in 0.9 s");
    assertThat(StartedNode.of(folder)).noneMatch(StartedNode::isRunning);
  }
}
