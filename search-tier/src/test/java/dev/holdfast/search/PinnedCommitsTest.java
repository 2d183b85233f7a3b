package dev.holdfast.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class PinnedCommitsTest extends SearchTierFixture {
  @Test
  void aPinnedCommitIsSearchedAndReportedInUseUntilItIsClosed() throws Exception {
    // given
    zero.add("1", "{\"n\":1}");
    CommitNotice first = zero.upload();
    tier.commit(first);
    ShardTarget shard = ShardTarget.of(zero.id);
    ContextId pinned =
        searches.contexts().open(shard, ShardContexts.Kind.SCROLL, Duration.ofMinutes(1), "");
    // when
    zero.add("2", "{\"n\":2}");
    zero.delete("1");
    CommitNotice second = zero.upload();
    InUse inUse = tier.commit(second);
    // then
    assertThat(inUse.generations())
        .containsExactly(first.commit().generation(), second.commit().generation());
    assertThat(ids(List.of(shard.at(pinned)), "{\"sort\":[\"n\"]}")).containsExactly("1");
    assertThat(ids(List.of(shard), "{\"sort\":[\"n\"]}")).containsExactly("2");
    // when
    assertThat(searches.contexts().close(List.of(pinned))).containsExactly(pinned);
    // then
    assertThat(tier.commit(second).generations()).containsExactly(second.commit().generation());
    assertThat(searches.scrolls().progress(List.of(pinned), Duration.ofMinutes(1))).isEmpty();
  }

  @Test
  void aScrollShowsEachDocumentOnceInEveryOrder() throws Exception {
    for (String sort : List.of("[]", "[\"_doc\"]", "[{\"n\":\"desc\"}]", "[\"k\",\"_score\"]")) {
      // given
      zero.add(
          "1" + sort, "{\"n\":1,\"k\":\"a\"}", "2" + sort, "{\"n\":1}", "3" + sort, "{\"n\":7}");
      one.add("4" + sort, "{\"k\":\"a\"}", "5" + sort, "{\"n\":1,\"k\":\"b\"}");
      tier.commit(zero.refresh());
      tier.commit(one.refresh());
      List<ShardTarget> pinned = new ArrayList<>();
      for (ShardId shard : List.of(zero.id, one.id)) {
        ShardTarget target = ShardTarget.of(shard);
        pinned.add(
            target.at(
                searches
                    .contexts()
                    .open(target, ShardContexts.Kind.SCROLL, Duration.ofMinutes(1), "")));
      }
      long total = total();
      zero.add("late" + sort, "{\"n\":0}");
      tier.commit(zero.refresh());
      // when
      List<String> shown = new ArrayList<>();
      List<String> page;
      long pages = 0;
      do {
        SearchResponse response =
            searches.searchShards(
                pinned,
                SearchParser.parse(
                    Json.parseObject(
                        "{\"size\":2,\"track_total_hits\":true,\"sort\":" + sort + "}")),
                () -> false);
        assertThat(response.total()).isEqualTo(total);
        page = response.hits().stream().map(hit -> String.valueOf(hit.id())).toList();
        shown.addAll(page);
        assertThat(searches.scrolls().settle(contexts(pinned), ++pages, Duration.ofMinutes(1)))
            .hasSize(2);
      } while (!page.isEmpty());
      // then
      assertThat(shown).doesNotHaveDuplicates().hasSize((int) total);
      assertThat(shown).doesNotContain("late" + sort);
    }
    assertThat(searches.contexts().closeAll(ShardContexts.Kind.SCROLL)).isEqualTo(8);
  }

  private static List<ContextId> contexts(List<ShardTarget> pinned) {
    return pinned.stream().map(target -> Objects.requireNonNull(target.context())).toList();
  }

  @Test
  void slicesAreDisjointAndComplete() throws Exception {
    for (int i = 0; i < 40; i++) {
      (i % 2 == 0 ? zero : one).add("" + i, "{\"n\":" + i + "}");
    }
    tier.commit(zero.refresh());
    tier.commit(one.refresh());
    for (String field : Arrays.asList(null, "n")) {
      for (int max : new int[] {2, 3, 7}) {
        List<String> all = new ArrayList<>();
        for (int id = 0; id < max; id++) {
          ShardTarget.Slice slice = new ShardTarget.Slice(id, max, field);
          all.addAll(
              ids(
                  List.of(
                      new ShardTarget(zero.id, null, null, slice),
                      new ShardTarget(one.id, null, null, slice)),
                  "{\"size\":100}"));
        }
        assertThat(all).doesNotHaveDuplicates().hasSize(40);
      }
    }
  }
}
