package dev.holdfast.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.search.context.ScrollContexts;
import dev.holdfast.search.held.ScrollPosition;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ScrollContextsTest extends SearchTierFixture {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String PAGE = "{\"size\":1,\"sort\":[\"n\"]}";

  private SearchTier second;
  private ShardTarget target;

  /// A node beside the fixture's.
  private record Second() implements Ownership {
    @Override
    public String nodeEphemeralId() {
      return "second";
    }

    @Override
    public boolean isStillMember() {
      return true;
    }

    @Override
    public boolean mayServe() {
      return true;
    }

    @Override
    public void evicted(String why) {}
  }

  @BeforeEach
  void openSecond() throws Exception {
    SearchConfig config = SearchConfig.of(1, 1 << 20);
    second =
        new SearchTier(
            world,
            store,
            metadata,
            new Second(),
            cache,
            new StandardMappings(),
            new Reads(),
            config,
            folder.resolve("scratch-second"),
            null);
    searches =
        new Coordinator(
            world,
            store,
            metadata,
            member -> member.equals("second") ? second : tier,
            new Reads(),
            config,
            "self");
    target = ShardTarget.of(zero.id);
    Member other =
        new Member(
            "second",
            "second",
            "here:2",
            new TreeSet<>(List.of(Role.SEARCH)),
            1,
            1,
            false,
            Build.here("test"));
    metadata.update("a second search node", state -> state.withMember(other));
  }

  @AfterEach
  void closeSecond() throws IOException {
    second.close();
  }

  @Test
  void aSpareGoesOnWhereTheClientStands() throws Exception {
    // given a scroll whose shard has a copy on both nodes, searched at the same commit
    metadata.update(
        "a second copy",
        state ->
            state.withAssignment(zero.id, HERE.withCopy("second", ShardAssignment.Copy.STARTED)));
    zero.add("1", "{\"n\":1}", "2", "{\"n\":2}", "3", "{\"n\":3}");
    CommitNotice commit = zero.upload();
    tier.commit(commit);
    second.commit(commit);
    ContextId context = searches.contexts().open(target, ShardContexts.Kind.SCROLL, LONG, "asked");
    ContextId spare = searches.scrolls().openSpares(Map.of(context, zero.id), LONG).get(context);
    assertThat(spare).isNotNull();
    assertThat(Set.of(context.node(), spare.node())).containsExactlyInAnyOrder("self", "second");
    // when a page is searched, and both are told that the client has it
    assertThat(ids(List.of(target.at(context)), PAGE)).containsExactly("1");
    Map<ContextId, ScrollPosition> positions = searches.scrolls().settle(List.of(context), 1, LONG);
    Set<ContextId> inPairs = searches.scrolls().follow(Map.of(context, spare), positions, LONG);
    // then the spare has the next page, as often as it is asked, and says what the first request
    // was
    assertThat(inPairs).containsExactly(context);
    assertThat(searches.scrolls().progress(List.of(context, spare), LONG).values())
        .hasSize(2)
        .allMatch(progress -> progress.pages() == 1 && progress.request().equals("asked"))
        .noneMatch(ScrollContexts.Progress::isAlone);
    assertThat(ids(List.of(target.at(spare)), PAGE)).containsExactly("2");
    assertThat(ids(List.of(target.at(spare)), PAGE)).containsExactly("2");
  }

  @Test
  void aSpareThatCannotBeToldIsNotGoneOnWith() throws Exception {
    // given a scroll with a spare that is gone
    zero.add("1", "{\"n\":1}", "2", "{\"n\":2}");
    tier.commit(zero.upload());
    ContextId context = searches.contexts().open(target, ShardContexts.Kind.SCROLL, LONG, "");
    ContextId spare = searches.scrolls().openSpares(Map.of(context, zero.id), LONG).get(context);
    assertThat(spare).isNotNull();
    assertThat(searches.contexts().close(List.of(spare))).containsExactly(spare);
    // when a page was searched
    assertThat(ids(List.of(target.at(context)), PAGE)).containsExactly("1");
    Map<ContextId, ScrollPosition> positions = searches.scrolls().settle(List.of(context), 1, LONG);
    // then it is in no pair, and knows that
    assertThat(searches.scrolls().follow(Map.of(context, spare), positions, LONG)).isEmpty();
    assertThat(searches.scrolls().progress(List.of(context), LONG).get(context))
        .isEqualTo(new ScrollContexts.Progress(1, true, ""));
  }

  @Test
  void aNodeWithoutACopyKeepsTheCommitByNameAndReadsItFromTheStore() throws Exception {
    // given a commit that only its owner has, searched on one node
    zero.add("1", "{\"n\":1}", "2", "{\"n\":2}");
    CommitNotice commit = zero.refresh();
    tier.commit(commit);
    ContextId context = searches.contexts().open(target, ShardContexts.Kind.SCROLL, LONG, "");
    // when a spare is wanted while its owner has more to upload
    zero.add("3", "{\"n\":3}");
    ContextId spare = searches.scrolls().openSpares(Map.of(context, zero.id), LONG).get(context);
    // then the commit was uploaded for it, the other node holds its blobs, and can search it
    assertThat(spare).isNotNull();
    assertThat(spare.node()).isEqualTo("second");
    assertThat(second.inUse(zero.id, 0).blobs()).contains(commit.commit().home());
    assertThat(ids(List.of(target.at(spare)), PAGE)).containsExactly("1");
  }

  @Test
  void aLoneSearchNodeHasNoSpare() throws Exception {
    metadata.update("the second leaves", state -> state.withoutMember("second"));
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());
    ContextId context = searches.contexts().open(target, ShardContexts.Kind.SCROLL, LONG, "");

    assertThat(searches.scrolls().openSpares(Map.of(context, zero.id), LONG)).isEmpty();
  }
}
