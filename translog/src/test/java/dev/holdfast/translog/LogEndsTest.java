package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore.Listed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Where fences are put, and when the end of a log is looked for anew.
final class LogEndsTest extends LogFixture {
  private final LogEnds ends = new LogEnds(store, "successor");

  /// Files of "a" with these ordinals; they are longer than a fence.
  private void files(long... ordinals) throws IOException {
    for (long ordinal : ordinals) {
      var _ = store.putIfAbsent(LogFile.key("a", ordinal), ObjectBody.of(new byte[100]));
    }
  }

  private List<Long> fences() {
    List<Long> fences = new ArrayList<>();
    for (Listed listed : store.list("log/a/", "", 100)) {
      if (listed.length() <= LogFile.FENCE_BYTES_MAX) {
        fences.add(LogFile.ordinal(listed.key()));
      }
    }
    return fences;
  }

  private List<Long> ended(long from) throws Exception {
    return ends.fenced("a", from).stream().map(LogEnds.File::ordinal).toList();
  }

  @Test
  void anEmptyLogIsFencedAtTheFileThatMatters() throws Exception {
    assertThat(ended(3)).isEmpty();

    assertThat(fences()).containsExactly(3L);
  }

  @Test
  void aLogIsFencedBehindItsLastFileAndInGapsThatMayBeInFlight() throws Exception {
    files(0, 1, 4, 6);

    assertThat(ended(0)).containsExactly(0L, 1L, 4L, 6L);

    assertThat(fences()).containsExactly(2L, 3L, 5L, 7L);
  }

  @Test
  void gapsTooFarBelowTheEndAreNotInFlight() throws Exception {
    long last = 30;
    files(0, last);

    assertThat(ended(0)).containsExactly(0L, last);

    // as many as may be in flight, the last one among them
    long lowest = last + 1 - NodeLog.AHEAD_MAX;
    assertThat(fences()).first().isEqualTo(lowest);
    assertThat(fences()).last().isEqualTo(last + 1);
    assertThat(fences()).hasSize(NodeLog.AHEAD_MAX);
  }

  @Test
  void gapsBelowTheFileThatMattersAreLeftAlone() throws Exception {
    files(0, 4, 6);

    assertThat(ended(5)).containsExactly(4L, 6L);

    assertThat(fences()).containsExactly(5L, 7L);
  }

  @Test
  void aLogThatIsFencedIsNotFencedAgain() throws Exception {
    files(0);
    assertThat(ended(0)).containsExactly(0L);

    // another successor
    assertThat(new LogEnds(store, "other").fenced("a", 0)).hasSize(1);

    assertThat(fences()).containsExactly(1L);
  }

  @Test
  void theEndIsKnownUntilItIsForgotten() throws Exception {
    files(0, 1);
    assertThat(ended(1)).containsExactly(0L, 1L);

    // somebody puts a file back over the fence
    store.deleteAll(List.of(LogFile.key("a", 2)));
    files(2);
    assertThat(ended(1)).containsExactly(0L, 1L);
    assertThat(ended(2)).as("a later file than is known of").containsExactly(0L, 1L);
    ends.forget("a");

    assertThat(ended(1)).containsExactly(0L, 1L, 2L);
  }

  @Test
  void anEarlierFileThanIsKnownOfIsLookedFor() throws Exception {
    files(0, 1, 2, 3);
    assertThat(ended(3)).containsExactly(2L, 3L);

    assertThat(ended(0)).containsExactly(0L, 1L, 2L, 3L);
  }

  /// A folder that somebody made in a bucket's console, a note, a copy: also as the first and the
  /// last of a page.
  @Test
  void whatIsNoPartOfALogKeepsNobodyFromFencingIt() throws Exception {
    files(0, 1);
    for (String name : List.of("-", "0000000000000000.bak", "fffffffffffffff0", "readme.txt")) {
      var _ = store.putIfAbsent("log/a/" + name, ObjectBody.of(new byte[100]));
    }

    new LogEnds(store, "leader").fence("a", -1, () -> {});

    assertThat(ended(0)).containsExactly(0L, 1L);
    assertThat(store.get(LogFile.key("a", 2))).isPresent();
    assertThat(new LogEnds(store, "other").fenced("a", 1)).hasSize(2);
  }

  @Test
  void filesThatAreKnownToBeThereAreNotListed() throws Exception {
    files(0, 1, 2, 3, 4);

    ends.fence("a", 2, () -> {});

    assertThat(store.get(LogFile.key("a", 5))).isPresent();
    assertThat(ended(3)).containsExactly(2L, 3L, 4L);
    assertThat(ended(0)).containsExactly(0L, 1L, 2L, 3L, 4L);
  }

  /// A fence in the place of a removed file would shut nobody out: that name is not used again.
  @Test
  void aLogWhoseNewestFilesWereRemovedIsFencedBehindAllThatIsKnownOfIt() throws Exception {
    files(0, 1, 2, 3);

    ends.fence("a", 5, () -> {});

    assertThat(fences()).containsExactly(6L);
    assertThat(ended(1)).containsExactly(0L, 1L, 2L, 3L);
    assertThat(fences()).containsExactly(4L, 5L, 6L);
  }

  @Test
  void aFolderOfALogWithoutFilesIsFencedAtItsFirstName() throws Exception {
    var _ = store.putIfAbsent("log/a/readme.txt", ObjectBody.of(new byte[0]));

    ends.fence("a", -1, () -> {});

    assertThat(store.get(LogFile.key("a", 0))).isPresent();
  }

  @Test
  void aLogOfMoreThanAPageIsReadToItsEnd() throws Exception {
    long[] ordinals = new long[2_001];
    Arrays.setAll(ordinals, i -> i);
    files(ordinals);

    assertThat(ended(0)).hasSize(2_001).last().isEqualTo(2_000L);
  }
}
