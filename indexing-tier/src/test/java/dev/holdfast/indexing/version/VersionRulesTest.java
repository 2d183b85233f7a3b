package dev.holdfast.indexing.version;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.indexing.version.VersionRules.Current;
import dev.holdfast.indexing.version.VersionRules.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionRulesTest {
  private static final ShardId SHARD = new ShardId(new IndexId("books", "u1"), 0);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          INDEX  | absent    | none        | 1  | CREATED   |
          INDEX  | present 3 | none        | 4  | UPDATED   |
          INDEX  | deleted 3 | none        | 4  | CREATED   |
          CREATE | absent    | none        | 1  | CREATED   |
          CREATE | deleted 2 | none        | 3  | CREATED   |
          CREATE | present 1 | none        | 0  |           | document already exists (current version [1])
          DELETE | absent    | none        | 1  | NOT_FOUND |
          DELETE | present 3 | none        | 4  | DELETED   |
          DELETE | deleted 4 | none        | 5  | NOT_FOUND |
          INDEX  | present 3 | seq 7 1     | 4  | UPDATED   |
          INDEX  | present 3 | seq 5 1     | 0  |           | required seqNo [5], primary term [1]. current document has seqNo [7] and primary term [1]
          INDEX  | present 3 | seq 7 2     | 0  |           | required seqNo [7], primary term [2]. current document has seqNo [7] and primary term [1]
          DELETE | absent    | seq 5 1     | 0  |           | required seqNo [5], primary term [1]. but no document was found
          INDEX  | deleted 3 | seq 7 1     | 0  |           | required seqNo [7], primary term [1]. but no document was found
          INDEX  | absent    | external 9  | 9  | CREATED   |
          INDEX  | present 2 | external 9  | 9  | UPDATED   |
          INDEX  | present 2 | external 2  | 0  |           | current version [2] is higher or equal to the one provided [2]
          INDEX  | present 2 | external 1  | 0  |           | current version [2] is higher or equal to the one provided [1]
          DELETE | deleted 8 | external 8  | 0  |           | current version [8] is higher or equal to the one provided [8]
          INDEX  | present 2 | gte 2       | 2  | UPDATED   |
          INDEX  | present 2 | gte 1       | 0  |           | current version [2] is higher than the one provided [1]
          INDEX  | absent    | external 0  | 0  | CREATED   |
          """)
  void judgesAsElasticsearch(
      Kind kind, String current, String condition, long version, Effect effect, String conflict) {
    Verdict verdict = VersionRules.judge(SHARD, "7", kind, condition(condition), current(current));

    switch (verdict) {
      case Verdict.Accepted accepted -> {
        assertThat(conflict).isNull();
        assertThat(accepted).isEqualTo(new Verdict.Accepted(version, effect));
      }
      case Verdict.Conflict(var refusal) -> {
        assertThat(refusal.reason()).isEqualTo("[7]: version conflict, " + conflict);
        assertThat(refusal.status()).isEqualTo(409);
        assertThat(refusal.metadata()).containsEntry("index", "books").containsEntry("shard", "0");
      }
    }
  }

  private static Condition condition(String text) {
    String[] words = text.split(" ");
    return switch (words[0]) {
      case "seq" ->
          new Condition(
              Long.parseLong(words[1]), Long.parseLong(words[2]), -3, VersionType.INTERNAL);
      case "external" -> new Condition(-2, 0, Long.parseLong(words[1]), VersionType.EXTERNAL);
      case "gte" -> new Condition(-2, 0, Long.parseLong(words[1]), VersionType.EXTERNAL_GTE);
      default -> Condition.NONE;
    };
  }

  private static Current current(String text) {
    String[] words = text.split(" ");
    return switch (words[0]) {
      case "present" -> new Current.Present(7, 1, Long.parseLong(words[1]));
      case "deleted" -> new Current.Deleted(7, 1, Long.parseLong(words[1]));
      default -> new Current.Absent();
    };
  }
}
